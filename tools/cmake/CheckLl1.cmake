# cmake -DPARSER=Hcl.cpp -P CheckLl1.cmake: fails when a decision of the grammar needs more than one token.
file(STRINGS "${PARSER}" calls REGEX "adaptivePredict")
list(LENGTH calls count)
if(NOT count EQUAL 0)
  message(FATAL_ERROR "${PARSER} calls adaptivePredict ${count} times: the grammar is not LL(1)")
endif()
