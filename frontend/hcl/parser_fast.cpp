// The strict parser: generated code over a base class in which reading a token is an increment and a fault an
// exception that leaves the parser.
#include <antlr4-runtime.h>

#include "frontend/hcl/parser.h"
#include "ir/check.h"

namespace pravo::hcl::fast {

#include "frontend/hcl/parser_fast_runtime.h"

namespace {

struct Fault {};

// The parser recurses about six rules for a level of brackets; what nests without brackets is bounded here.
constexpr uint32_t kMaxRuleDepth = 6 * kMaxBracketDepth + 300;

// NOLINTBEGIN(readability-identifier-naming): generated code uses these names.
class HclBase : public TreeBuilder<HclBase> {
 public:
  static constexpr bool kTolerant = false;
  static constexpr size_t EOF = static_cast<size_t>(-1);

  explicit HclBase(antlr4::TokenStream*) {}
  virtual ~HclBase() = default;
  HclBase(const HclBase&) = delete;
  HclBase& operator=(const HclBase&) = delete;

  virtual std::string getGrammarFileName() const = 0;
  virtual const antlr4::atn::ATN& getATN() const = 0;
  virtual const std::vector<std::string>& getTokenNames() const = 0;
  virtual const std::vector<std::string>& getRuleNames() const = 0;
  virtual antlr4::dfa::Vocabulary& getVocabulary() const = 0;

  void start(const ParserInput& input, Lexer& lexer) {
    attach(input.text, input.file_form, input.tokens, input.stacks, input.words);
    tokens_ = &input.tokens;
    lexer_ = &lexer;
    depth_ = 0;
    refill();
  }
  size_t position() const { return static_cast<size_t>(_input.next - first_); }
  [[noreturn]] void reject(TreeFault) { throw Fault(); }

 protected:
  struct Input {
    const TokenKind* next = nullptr;
    const Input* operator->() const { return this; }
    // Token numbers are size_t to generated code, with the end of the file as the largest.
    size_t LA(size_t) const { return static_cast<size_t>(static_cast<ptrdiff_t>(*next)); }
  };
  struct ErrorHandler {
    const ErrorHandler* operator->() const { return this; }
    void sync(HclBase*) const {}
    void reportMatch(HclBase*) const {}
    [[noreturn]] void recoverInline(HclBase*) const { throw Fault(); }
    void reportError(HclBase*, const antlr4::RecognitionException&) const {}
    void recover(HclBase*, const std::exception_ptr&) const {}
  };
  struct Tracker {
    template <class T, class... Args>
    T* createInstance(const Args&...) const {
      return nullptr;
    }
  };
  template <class F>
  struct AtExit {
    F run;
    ~AtExit() { run(); }
  };
  template <class F>
  static AtExit<F> finally(F run) {
    return {run};
  }

  void enterRule(antlr4::ParserRuleContext*, size_t, size_t) {
    if (++depth_ > kMaxRuleDepth) [[unlikely]]
      throw Fault();
  }
  void exitRule() { --depth_; }
  void enterOuterAlt(antlr4::ParserRuleContext*, size_t) {}
  void setState(size_t) {}
  size_t getState() const { return 0; }
  void consume() { advance(); }
  void match(size_t type) {
    if (_input.LA(1) != type) [[unlikely]]
      throw Fault();
    if (type != EOF) advance();
  }

  Input _input;
  ErrorHandler _errHandler;
  Tracker _tracker;
  antlr4::ParserRuleContext* _ctx = nullptr;
  antlr4::atn::ParserATNSimulator* _interpreter = nullptr;

 private:
  // To the next token, which may be in the next window.
  void advance() {
    ++_input.next;
    if (*_input.next == TokenKind::None) [[unlikely]]
      refill();
  }
  void refill() {
    if (!lexer_->next_window()) throw Fault();
    tokens_->seal();
    attach_tokens(*tokens_);
    first_ = tokens_->kinds();
    _input.next = first_ + tokens_->kept();
  }

  TokenList* tokens_ = nullptr;
  Lexer* lexer_ = nullptr;
  const TokenKind* first_ = nullptr;
  uint32_t depth_ = 0;
};
// NOLINTEND(readability-identifier-naming)

#include "Hcl.cpp"

#define PRAVO_HCL_TOKEN(grammar, kind, text) \
  static_assert(static_cast<int>(TokenKind::kind) == static_cast<int>(Hcl::grammar));
PRAVO_HCL_TOKENS(PRAVO_HCL_TOKEN)
#undef PRAVO_HCL_TOKEN

}  // namespace

}  // namespace pravo::hcl::fast

namespace pravo::hcl {

NodeId parse_strict(const ParserInput& input, Lexer& lexer) {
  // The parser itself keeps nothing from text to text, so one for each thread does.
  thread_local fast::Hcl parser(nullptr);
  try {
    parser.start(input, lexer);
    switch (input.kind) {
      case TextKind::Body:
        parser.configFile();
        break;
      case TextKind::Expression:
        parser.expressionFile();
        break;
      case TextKind::Template:
        parser.templateFile();
        break;
    }
  } catch (const fast::Fault&) {
    return {};
  } catch (const fast::antlr4::NoViableAltException&) {
    return {};
  }
  PRAVOC_CHECK(input.stacks.nodes.size() == 1 && input.stacks.marks.empty());
  PRAVOC_CHECK(input.stacks.operators.empty() && input.stacks.splats.empty());
  return parser.root();
}

}  // namespace pravo::hcl
