// The names of the ANTLR runtime that generated code uses, reduced to what a parser without predictions, parse tree
// and error recovery needs of them: nothing. Include it in the namespace where the generated code is included
// next: there `antlr4` means what is declared here. The real runtime costs a serialized automaton at each start of
// the program and a heap object for each rule.
//
// No include guard: see above.

// NOLINTBEGIN(readability-identifier-naming): the names are ANTLR's.
namespace antlr4 {

class TokenStream;

namespace tree {
class TerminalNode;
}

class ParserRuleContext {
 public:
  ParserRuleContext(ParserRuleContext*, size_t) {}
  virtual ~ParserRuleContext() = default;
  virtual size_t getRuleIndex() const = 0;
  tree::TerminalNode* getToken(size_t, size_t) { return nullptr; }
  std::vector<tree::TerminalNode*> getTokens(size_t) { return {}; }
  template <class T>
  T* getRuleContext(size_t) {
    return nullptr;
  }
  template <class T>
  std::vector<T*> getRuleContexts() {
    return {};
  }
  std::exception_ptr exception;
};

namespace atn {
class ATN {
 public:
  size_t getNumberOfDecisions() const { return 0; }
  int getDecisionState(size_t) const { return 0; }
};
class PredictionContextCache {};
class ATNDeserializer {
 public:
  ATN deserialize(const std::vector<uint16_t>&) { return {}; }
};
class ParserATNSimulator {
 public:
  template <class... Args>
  explicit ParserATNSimulator(Args&&...) {}
};
}  // namespace atn

namespace dfa {
class DFA {
 public:
  DFA(int, size_t) {}
};
class Vocabulary {
 public:
  Vocabulary(const std::vector<std::string>&, const std::vector<std::string>&) {}
  std::string getLiteralName(size_t) const { return {}; }
  std::string getSymbolicName(size_t) const { return {}; }
};
}  // namespace dfa

// Generated code catches the first and throws the second; the two are unrelated here, so a fault leaves all rules.
class RecognitionException {};
class NoViableAltException {
 public:
  explicit NoViableAltException(const void*) {}
};

}  // namespace antlr4
// NOLINTEND(readability-identifier-naming)
