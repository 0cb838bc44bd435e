// What ANTLR's parser class needs around it in the tolerant parser: a token stream over our arrays, an error strategy
// that asks the parser, and the base class of the generated code. Its functions are in parser_recover.cpp.
#pragma once

#include <antlr4-runtime.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "frontend/hcl/parser.h"
#include "frontend/hcl/syntax_explain.h"

namespace pravo::hcl::recover {

// A set of token kinds.
class KindSet {
 public:
  KindSet(std::initializer_list<TokenKind> kinds) {
    for (TokenKind kind : kinds) add(kind);
  }
  void add(TokenKind kind) { bits_ |= bit(kind); }
  bool contains(TokenKind kind) const { return (bits_ & bit(kind)) != 0; }

 private:
  static uint64_t bit(TokenKind kind) { return uint64_t{1} << (static_cast<int>(kind) + 1); }
  uint64_t bits_ = 0;
};

// NOLINTBEGIN(readability-identifier-naming): ANTLR's interfaces, and names that generated code uses.

// ANTLR wants token objects only to put them into contexts and exceptions, which nobody reads: one is enough.
class StreamToken final : public antlr4::Token {
 public:
  std::string getText() const override { return {}; }
  size_t getType() const override { return type; }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return 0; }
  size_t getChannel() const override { return 0; }
  size_t getTokenIndex() const override { return index; }
  size_t getStartIndex() const override { return 0; }
  size_t getStopIndex() const override { return 0; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }

  size_t type = 0;
  size_t index = 0;
};

class TokenListStream final : public antlr4::TokenStream {
 public:
  explicit TokenListStream(const TokenList& tokens) : tokens_(tokens) {}

  size_t LA(ssize_t k) override {
    size_t at = std::min(next_ + static_cast<size_t>(k) - 1, tokens_.size() - 1);
    return static_cast<size_t>(static_cast<ptrdiff_t>(tokens_.kind(at)));
  }
  void consume() override {
    if (next_ + 1 < tokens_.size()) ++next_;
  }
  size_t index() override { return next_; }
  void seek(size_t index) override { next_ = index; }
  size_t size() override { return tokens_.size(); }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::string getSourceName() const override { return {}; }
  antlr4::Token* LT(ssize_t) override {
    token_.type = LA(1);
    token_.index = next_;
    return &token_;
  }
  antlr4::Token* get(size_t) const override { return &token_; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

 private:
  const TokenList& tokens_;
  size_t next_ = 0;
  mutable StreamToken token_;
};

class HclBase : public antlr4::Parser, public TreeBuilder<HclBase> {
 public:
  static constexpr bool kTolerant = true;

  explicit HclBase(antlr4::TokenStream* input);

  void start(const ParserInput& input, const Lexer& lexer, SyntaxErrors& errors) {
    attach(input.text, input.file_form, input.tokens, input.stacks, input.words);
    tokens_ = &input.tokens;
    lexer_ = &lexer;
    errors_ = &errors;
  }
  size_t position() const { return _input->index(); }
  void reject(TreeFault fault);

  // --- called by the error strategy

  void sync();
  void recover_set();
  void recover_rule();
  void report_no_alternative() { fault(TokenKind::None); }
  void matched() { recovering_ = false; }

 protected:
  // Contexts live as long as their rule: nobody looks at a tree of them.
  struct Contexts {
    template <class T, class... Args>
    T* createInstance(const Args&... args) {
      auto context = std::make_unique<T>(args...);
      T* result = context.get();
      all.push_back(std::move(context));
      return result;
    }
    std::vector<std::unique_ptr<antlr4::ParserRuleContext>> all;
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
  Contexts _tracker;

  void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t rule) override;
  void exitRule();
  antlr4::Token* match(size_t type) override;
  antlr4::Token* consume() override {
    advance();
    recovering_ = false;
    return nullptr;
  }

 private:
  struct RuleFrame {
    size_t rule;
    size_t start;  // its first token
    Snapshot before;
    bool broken = false;  // a token that it needs was missing
  };

  TokenKind next(size_t ahead = 0) const { return tokens_->kind(std::min(position() + ahead, tokens_->size() - 1)); }
  void advance() { _input->consume(); }
  uint32_t next_begin() const { return tokens_->span(position()).begin; }

  void fault(TokenKind wanted);
  void explain(TokenKind wanted);
  bool skip_to(const KindSet& wanted);
  void skip_unit();
  bool starts_item(size_t ahead) const;
  bool continues_in_next_line() const;
  void end_item();
  void sync_items(const KindSet& wanted);
  void sync_list(const KindSet& wanted);
  void sync_parts(const KindSet& wanted);
  void sync_directive();
  void sync_name();
  void sync_label(const KindSet& wanted);
  void missing(TokenKind wanted);
  bool inside_for_directive() const;
  void finish_rule(const RuleFrame& frame, bool abandoned);
  void one_node(const RuleFrame& frame, NodeKind kind);
  FaultSite site(TokenKind wanted) const;

  TokenList* tokens_ = nullptr;
  const Lexer* lexer_ = nullptr;
  SyntaxErrors* errors_ = nullptr;
  std::vector<RuleFrame> rules_;
  bool recovering_ = false;  // after a fault, until a token fits again: nothing is reported
  size_t last_fault_ = SIZE_MAX;
};

class Strategy final : public antlr4::ANTLRErrorStrategy {
 public:
  void reset(antlr4::Parser*) override {}
  bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
  void sync(antlr4::Parser* parser) override { base(parser).sync(); }
  void reportMatch(antlr4::Parser* parser) override { base(parser).matched(); }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    base(parser).recover_set();
    return nullptr;
  }
  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException&) override {
    base(parser).report_no_alternative();
  }
  void recover(antlr4::Parser* parser, std::exception_ptr) override { base(parser).recover_rule(); }

 private:
  static HclBase& base(antlr4::Parser* parser) { return *static_cast<HclBase*>(parser); }
};
// NOLINTEND(readability-identifier-naming)

}  // namespace pravo::hcl::recover
