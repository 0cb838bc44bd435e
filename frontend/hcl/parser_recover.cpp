// The tolerant parser: the generated code over ANTLR's own parser class, with our error strategy. Where a token does
// not fit it says so (syntax_explain.h) and finds the next token that does; the builder puts Error nodes where
// something is missing.
//
// The lexer has balanced brackets, quotes and sequences (inserting what was missing), so "skip to what closes this"
// always ends at the right place.
#include <antlr4-runtime.h>

#include "frontend/hcl/parser.h"
#include "frontend/hcl/parser_recover_base.h"
#include "frontend/hcl/syntax_errors.h"
#include "ir/diagnostics/syntax.h"

namespace pravo::hcl::recover {

// NOLINTBEGIN(readability-identifier-naming): names that generated code uses.
HclBase::HclBase(antlr4::TokenStream* input) : antlr4::Parser(input) {
  setBuildParseTree(false);
  removeErrorListeners();
  setErrorHandler(std::make_shared<Strategy>());
}

namespace {

// The parser recurses about six rules for a level of brackets; what nests without brackets is bounded here.
constexpr size_t kMaxRuleDepth = 6 * kMaxBracketDepth + 300;

bool opens(TokenKind kind) {
  static const KindSet kSet = {TokenKind::LeftParen,  TokenKind::LeftBracket,  TokenKind::LeftBrace,
                               TokenKind::QuoteOpen,  TokenKind::HeredocOpen,  TokenKind::Interpolation,
                               TokenKind::ControlIf,  TokenKind::ControlElse,  TokenKind::ControlEndif,
                               TokenKind::ControlFor, TokenKind::ControlEndfor};
  return kSet.contains(kind);
}

bool closes(TokenKind kind) {
  static const KindSet kSet = {TokenKind::RightParen, TokenKind::RightBracket, TokenKind::RightBrace,
                               TokenKind::QuoteClose, TokenKind::HeredocClose, TokenKind::SequenceEnd};
  return kSet.contains(kind);
}

// Generated code builds the automaton of the grammar at each start of the program, which costs a third of a
// millisecond; here `atn` means this, so that it only keeps the data, and the automaton is built when it is asked.
namespace atn {
using namespace antlr4::atn;  // NOLINT(google-build-using-namespace)

const std::vector<uint16_t>* serialized = nullptr;

class ATNDeserializer {
 public:
  ATN deserialize(const std::vector<uint16_t>& data) {
    serialized = &data;
    return {};
  }
};
}  // namespace atn

const antlr4::atn::ATN& automaton() {
  static const antlr4::atn::ATN atn = antlr4::atn::ATNDeserializer().deserialize(*atn::serialized);
  return atn;
}

#include "Hcl.cpp"
#include "ir/diagnostics/syntax.h"

}  // namespace

// --- rules

void HclBase::enterRule(antlr4::ParserRuleContext* context, size_t state, size_t rule) {
  if (rules_.size() >= kMaxRuleDepth) {
    BuildResult& result = stacks_->result;
    if (!result.too_tall) {
      result.too_tall = true;
      result.too_tall_begin = next_begin();
      result.too_tall_end = tokens_->span(position()).end;
    }
    // The rest of it is skipped, so that the rules around end without another word.
    recovering_ = true;
    skip_to({});
    _tracker.all.pop_back();
    throw antlr4::InputMismatchException(this);
  }
  setState(state);
  _ctx = context;
  rules_.push_back({rule, position(), snapshot()});
}

void HclBase::exitRule() {
  RuleFrame frame = rules_.back();
  rules_.pop_back();
  bool abandoned = _ctx->exception != nullptr;
  setState(_ctx->invokingState);
  _ctx = static_cast<antlr4::ParserRuleContext*>(_ctx->parent);
  _tracker.all.pop_back();
  if (abandoned || frame.broken || recovering_) finish_rule(frame, abandoned);
}

// Leaves on the stack what the rule's caller expects of it.
void HclBase::finish_rule(const RuleFrame& frame, bool abandoned) {
  if (abandoned) restore(frame.before);
  // A `for` without its parts, a call without its parentheses say nothing that could be evaluated.
  bool useless = false;
  if (frame.broken) {
    switch (frame.rule) {
      case Hcl::RuleFor_intro:
      case Hcl::RuleFor_names:
        if (!rules_.empty()) rules_.back().broken = true;
        return;
      case Hcl::RuleVariable_or_call:
        useless = true;
        break;
      case Hcl::RuleTuple_or_for:
      case Hcl::RuleObject_or_for:
        useless = tokens_->kind(std::min(frame.start + 1, tokens_->size() - 1)) == TokenKind::For;
        break;
      default:
        break;
    }
  }
  if (useless) restore(frame.before);
  switch (frame.rule) {
    case Hcl::RuleExpression:
    case Hcl::RuleOperation:
    case Hcl::RuleOperand:
    case Hcl::RulePrimary:
    case Hcl::RuleVariable_or_call:
    case Hcl::RuleParentheses:
    case Hcl::RuleTuple_or_for:
    case Hcl::RuleObject_or_for:
    case Hcl::RuleQuoted_template:
    case Hcl::RuleHeredoc:
      return one_node(frame, NodeKind::Error);
    case Hcl::RuleAttribute_or_block:
    case Hcl::RuleItem: {
      bool fine = height() == frame.before.nodes + 1 && !(frame.broken && frame.rule == Hcl::RuleAttribute_or_block);
      NodeKind kind = fine ? kind_of(stacks_->nodes.back().node) : NodeKind::Error;
      if (kind != NodeKind::Attribute && kind != NodeKind::Block) restore(frame.before);
      return;
    }
    case Hcl::RuleBlock_body:
      if (!abandoned) return one_node(frame, NodeKind::Body);
      rules_.back().broken = true;
      return;
    case Hcl::RuleLabel:
      if (height() != frame.before.nodes + 1) restore(frame.before);
      return;
    case Hcl::RuleObject_item:
      return one_node(frame, NodeKind::ObjectItem);
    case Hcl::RulePart:
      return one_node(frame, NodeKind::Interpolation);
    case Hcl::RuleTemplate_body:
      return one_node(frame, NodeKind::TemplateBody);
    case Hcl::RulePostfix:
      if (height() > frame.before.nodes && abandoned) restore(frame.before);
      return;
    default:
      return;
  }
}

// Makes sure that the rule left one node. `kind` is what stands for it otherwise.
void HclBase::one_node(const RuleFrame& frame, NodeKind kind) {
  if (height() == frame.before.nodes + 1) {
    NodeKind found = kind_of(stacks_->nodes.back().node);
    bool exact = kind == NodeKind::Body || kind == NodeKind::TemplateBody || kind == NodeKind::ObjectItem;
    if (!exact || found == kind) return;
  }
  uint32_t begin = tokens_->span(frame.start).begin;
  uint32_t end = position() > frame.start ? end_of_last() : begin;
  while (height() < frame.before.nodes) collapse(NodeKind::Error, height(), begin, begin);
  collapse(kind, frame.before.nodes, begin, std::max(begin, end));
}

// --- faults

FaultSite HclBase::site(TokenKind wanted) const {
  const RuleFrame& frame = rules_.back();
  FaultSite result{text_, kinds_, spans_, position(), frame.start, Construct::Expression, wanted};
  // Rules that are part of a larger construct take its start.
  auto outer = [&](size_t levels) {
    if (rules_.size() > levels) result.start = rules_[rules_.size() - 1 - levels].start;
  };
  switch (frame.rule) {
    case Hcl::RuleConfigFile:
      result.construct = Construct::File;
      break;
    case Hcl::RuleExpressionFile:
      result.construct = Construct::LoneExpression;
      break;
    case Hcl::RuleTemplateFile:
      result.construct = Construct::TemplateFile;
      break;
    case Hcl::RuleItem:
      result.construct = Construct::ItemEnd;
      break;
    case Hcl::RuleAttribute_or_block:
      result.construct = position() == frame.start + 1 ? Construct::Item : Construct::Label;
      break;
    case Hcl::RuleLabel:
      result.construct = Construct::Label;
      outer(1);
      break;
    case Hcl::RuleBlock_body:
      result.construct = wanted == TokenKind::LeftBrace ? Construct::Label : Construct::Body;
      if (wanted == TokenKind::LeftBrace) outer(1);
      break;
    case Hcl::RuleExpression:
      result.construct = wanted == TokenKind::Colon ? Construct::Conditional : Construct::Expression;
      break;
    case Hcl::RuleVariable_or_call:
    case Hcl::RuleArguments:
      result.construct = Construct::Call;
      if (frame.rule == Hcl::RuleArguments) outer(1);
      break;
    case Hcl::RuleParentheses:
      result.construct = Construct::Parentheses;
      break;
    case Hcl::RulePostfix:
      result.construct = Construct::Postfix;
      break;
    case Hcl::RuleTuple_or_for:
      result.construct = kinds_[frame.start + 1] == TokenKind::For ? Construct::ForTuple : Construct::Tuple;
      break;
    case Hcl::RuleObject_or_for:
      result.construct = kinds_[frame.start + 1] == TokenKind::For ? Construct::ForObject : Construct::Object;
      break;
    case Hcl::RuleObject_item:
      result.construct = Construct::ObjectItem;
      break;
    case Hcl::RuleFor_names:
      result.construct = Construct::ForNames;
      break;
    case Hcl::RuleFor_intro:
      result.construct = Construct::ForCollection;
      break;
    case Hcl::RuleQuoted_template:
      result.construct = Construct::Quoted;
      break;
    case Hcl::RuleHeredoc:
      result.construct = Construct::Heredoc;
      break;
    case Hcl::RulePart:
      result.construct = wanted == TokenKind::SequenceEnd ? Construct::Sequence : Construct::Directive;
      // Of a directive's several sequences, the one that is being read.
      for (size_t i = position(); wanted == TokenKind::SequenceEnd && i-- > frame.start;) {
        if (kinds_[i] != TokenKind::ControlElse && kinds_[i] != TokenKind::ControlEndif &&
            kinds_[i] != TokenKind::ControlEndfor)
          continue;
        if (i + 1 == position()) result.start = i;
        break;
      }
      break;
    default:
      break;
  }
  return result;
}

void HclBase::fault(TokenKind wanted) {
  if (recovering_) return;
  recovering_ = true;
  const size_t at = position();
  if (at == last_fault_ || lexer_->is_inserted(static_cast<uint32_t>(at)) || errors_->full()) return;
  // What follows a fault at once, as in `a++`, is the same one; so is a conditional that lacks its end.
  bool same = last_fault_ != SIZE_MAX &&
              (at == last_fault_ + 1 || (wanted == TokenKind::Colon && rules_.back().rule == Hcl::RuleExpression &&
                                         last_fault_ >= rules_.back().start));
  last_fault_ = at;
  if (same) return;
  uint32_t before = at == 0 ? 0 : tokens_->span(at - 1).end;
  if (errors_->is_covered(before, next_begin())) return;
  explain_fault(site(wanted), *errors_);
}

void HclBase::reject(TreeFault fault) {
  FaultSite where = site(TokenKind::None);
  if (fault != TreeFault::OneLineBody) --where.at;
  if (recovering_ || errors_->full() || errors_->is_covered(spans_[where.at].begin, spans_[where.at].end)) return;
  if (fault == TreeFault::OneLineBody) {
    recovering_ = true;
    rules_.back().broken = true;
    if (lexer_->is_inserted(static_cast<uint32_t>(where.at))) return;
    last_fault_ = where.at;
    // A block in a block of one line is what is wrong, not what follows it.
    NodeKind kind = kind_of(stacks_->nodes.back().node);
    if (kind == NodeKind::Block) {
      uint32_t block = stacks_->nodes.back().node;
      uint32_t name = NodeLayout::child(*words_, block, 0);
      uint32_t body = NodeLayout::child(*words_, block, NodeLayout::child_count(*words_, block) - 1);
      errors_->emit(begin_of_node(name), begin_of_node(body) + 1, diag::OneLineBlock)
          .help("a block in a block stands on lines of its own");
      return;
    }
  }
  explain_tree_fault(fault, where, *errors_);
}

// Skips to a token of `wanted` that is not inside of brackets; false when the construct around ends before.
bool HclBase::skip_to(const KindSet& wanted) {
  for (;;) {
    TokenKind kind = next();
    if (wanted.contains(kind)) return true;
    if (closes(kind) || kind == TokenKind::EndOfFile || kind == TokenKind::Newline) return false;
    skip_unit();
  }
}

void HclBase::skip_unit() {
  size_t depth = 0;
  do {
    if (opens(next())) ++depth;
    if (closes(next()) && depth > 0) --depth;
    advance();
  } while (depth > 0 && next() != TokenKind::EndOfFile);
}

antlr4::Token* HclBase::match(size_t type) {
  if (_input->LA(1) == type) {
    if (type != EOF) advance();
    recovering_ = false;
  } else {
    missing(static_cast<TokenKind>(static_cast<int8_t>(type)));
  }
  return nullptr;
}

// The token that must come next is not there.
void HclBase::missing(TokenKind wanted) {
  // The layout of a body that is wrong from its first line on is one fault.
  bool known = wanted == TokenKind::Newline && next() == TokenKind::RightBrace && rules_.size() > 1 &&
               rules_[rules_.size() - 2].rule == Hcl::RuleBlock_body && rules_[rules_.size() - 2].broken;
  if (!known) fault(wanted);
  rules_.back().broken = true;
  switch (wanted) {
    case TokenKind::RightParen:
    case TokenKind::RightBracket:
    case TokenKind::SequenceEnd:
    case TokenKind::QuoteClose:
    case TokenKind::HeredocClose:
      if (skip_to({wanted})) advance();
      return;
    case TokenKind::RightBrace:
      while (!skip_to({wanted}) && next() == TokenKind::Newline) advance();
      if (next() == wanted) advance();
      return;
    case TokenKind::Newline:
      return end_item();
    case TokenKind::EndOfFile:
      while (next() != TokenKind::EndOfFile) advance();
      return;
    case TokenKind::ControlEndif:
    case TokenKind::ControlEndfor:
      // The end of the other kind is taken for it, unless it belongs to what is around.
      if (next() == TokenKind::ControlEndif || (next() == TokenKind::ControlEndfor && !inside_for_directive()))
        advance();
      return;
    case TokenKind::LeftBrace:
      // Without a body the block is not even an empty one.
      if (!skip_to({wanted})) throw antlr4::InputMismatchException(this);
      advance();
      return;
    default:
      // One token in the way is skipped.
      if (next(1) == wanted && !closes(next()) && !opens(next()) && next() != TokenKind::Newline) {
        advance();
        advance();
      }
      return;
  }
}

bool HclBase::inside_for_directive() const {
  for (size_t i = rules_.size() - 1; i-- > 0;) {
    size_t rule = rules_[i].rule;
    if (rule == Hcl::RulePart && kinds_[rules_[i].start] == TokenKind::ControlFor) return true;
    if (rule != Hcl::RulePart && rule != Hcl::RuleTemplate_body) return false;
  }
  return false;
}

// --- where the strategy is asked

// Before each decision: whether the next token is among those that the grammar has a way for here.
void HclBase::sync() {
  const antlr4::misc::IntervalSet& possible = automaton().nextTokens(automaton().states[getState()]);
  if (possible.contains(antlr4::Token::EPSILON) || possible.contains(_input->LA(1))) return;
  KindSet wanted = {};
  for (const antlr4::misc::Interval& interval : possible.getIntervals()) {
    for (ssize_t token = interval.a; token <= interval.b; ++token) wanted.add(static_cast<TokenKind>(token));
  }
  switch (rules_.back().rule) {
    case Hcl::RuleConfigFile:
    case Hcl::RuleBlock_body:
      return sync_items(wanted);
    case Hcl::RuleAttribute_or_block:
      return position() == rules_.back().start + 1 ? sync_name() : sync_label(wanted);
    case Hcl::RuleTuple_or_for:
    case Hcl::RuleObject_or_for:
      return sync_list(wanted);
    case Hcl::RuleFor_names:
      fault(TokenKind::In);
      rules_.back().broken = true;
      skip_to({TokenKind::Comma, TokenKind::In, TokenKind::Colon});
      return;
    case Hcl::RuleQuoted_template:
    case Hcl::RuleHeredoc:
    case Hcl::RuleTemplateFile:
      return sync_parts(wanted);
    case Hcl::RulePart:
      return sync_directive();
    case Hcl::RuleVariable_or_call:
      return fault(TokenKind::LeftParen);
    case Hcl::RuleOperand:
    case Hcl::RulePrimary:
      fault(TokenKind::None);
      if (continues_in_next_line()) advance();
      return;
    default:
      return fault(TokenKind::None);
  }
}

void HclBase::sync_items(const KindSet& wanted) {
  while (!wanted.contains(next())) {
    fault(TokenKind::None);
    // The rest of the line is not looked at.
    while (!skip_to({TokenKind::Newline})) {
      if (wanted.contains(next()) || next() == TokenKind::EndOfFile) return;
      advance();  // a closer that belongs to nothing
    }
    if (wanted.contains(TokenKind::Newline)) return;
    advance();
    recovering_ = false;
  }
}

// Behind the first name of an item.
void HclBase::sync_name() {
  fault(TokenKind::None);
  switch (next()) {
    case TokenKind::Colon:
    case TokenKind::FatArrow:
    case TokenKind::Equal:
      if (next(1) == TokenKind::Assign)
        advance();  // `:=`
      else
        tokens_->kinds()[position()] = TokenKind::Assign;
      return;
    case TokenKind::Newline:
      if (next(1) == TokenKind::LeftBrace) advance();
      return;
    default:
      return;
  }
}

void HclBase::sync_label(const KindSet& wanted) {
  fault(TokenKind::None);
  if (next() == TokenKind::Newline && next(1) == TokenKind::LeftBrace) advance();
  KindSet brace = {TokenKind::LeftBrace};
  static_cast<void>(wanted);
  skip_to(brace);
}

void HclBase::sync_list(const KindSet& wanted) {
  fault(TokenKind::None);
  if (wanted.contains(TokenKind::For)) {
    // No element has been read: on to the next that there may be.
    while (!skip_to(wanted)) {
      if (next() != TokenKind::Newline) return;
      advance();
    }
    return;
  }
  skip_to(wanted);
}

void HclBase::sync_parts(const KindSet& wanted) {
  while (!wanted.contains(next())) {
    fault(TokenKind::None);
    if (closes(next()) || next() == TokenKind::EndOfFile) return;
    skip_unit();
    recovering_ = false;
  }
}

// Behind a body of a directive, where `%{ else }` or its end was expected.
void HclBase::sync_directive() {
  fault(TokenKind::None);
  if (next() == TokenKind::ControlEndfor && !inside_for_directive())
    tokens_->kinds()[position()] = TokenKind::ControlEndif;
}

// A token of a set of several was expected: the sign between the key and the value of an object.
void HclBase::recover_set() {
  fault(TokenKind::Assign);
  if (next() == TokenKind::FatArrow)
    advance();
  else
    skip_to({TokenKind::Comma});
}

// The current rule is given up.
void HclBase::recover_rule() {
  switch (rules_.back().rule) {
    case Hcl::RuleAttribute_or_block:
      skip_to({TokenKind::Newline});
      return;
    case Hcl::RuleTuple_or_for:
      return missing(TokenKind::RightBracket);
    case Hcl::RuleObject_or_for:
      return missing(TokenKind::RightBrace);
    case Hcl::RulePostfix:
      if (kinds_[rules_.back().start] == TokenKind::LeftBracket) missing(TokenKind::RightBracket);
      return;
    default:
      return;
  }
}

bool HclBase::starts_item(size_t ahead) const {
  if (next(ahead) != TokenKind::Ident) return false;
  // A word that touches a quote is part of a text whose own quotes lack their backslashes.
  if (position() > 0 && kinds_[position() - 1] == TokenKind::QuoteClose && end_of_last() == next_begin()) return false;
  TokenKind second = next(ahead + 1);
  if (second == TokenKind::LeftBrace) {
    // Behind a value an object is likelier than a block on one line.
    bool behind_value = height() > 0 && kind_of(stacks_->nodes.back().node) == NodeKind::Attribute;
    return !behind_value || next(ahead + 2) == TokenKind::Newline;
  }
  return second == TokenKind::Assign || second == TokenKind::QuoteOpen;
}

// At a newline where an operand should be: whether the next line has it, rather than another item.
bool HclBase::continues_in_next_line() const {
  if (next() != TokenKind::Newline) return false;
  size_t ahead = 1;
  switch (next(ahead)) {
    case TokenKind::Number:
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
    case TokenKind::LeftBrace:
    case TokenKind::Not:
    case TokenKind::Minus:
    case TokenKind::HeredocOpen:
      return true;
    case TokenKind::Ident:
      ++ahead;
      break;
    case TokenKind::QuoteOpen:
      while (next(ahead) != TokenKind::QuoteClose && next(ahead) != TokenKind::EndOfFile) ++ahead;
      ++ahead;
      break;
    default:
      return false;
  }
  switch (next(ahead)) {
    case TokenKind::Assign:
    case TokenKind::Colon:
    case TokenKind::LeftBrace:
    case TokenKind::QuoteOpen:
    case TokenKind::Ident:
    case TokenKind::EndOfFile:
      return false;
    default:
      return true;
  }
}

// An item should have ended with its line.
void HclBase::end_item() {
  bool comma = next() == TokenKind::Comma;
  if (comma) advance();
  if (starts_item(0)) return;
  // What the line goes on with belongs to the value, which is another one then: `a = if x { 1 } else { 2 }`.
  if (!comma) {
    uint32_t item = height() > 0 ? stacks_->nodes.back().node : 0;
    if (height() > 0 && kind_of(item) == NodeKind::Attribute) make_error(NodeLayout::child(*words_, item, 1));
  }
  if (skip_to({TokenKind::Newline})) {
    advance();
    recovering_ = false;
  }
}
// NOLINTEND(readability-identifier-naming)

}  // namespace pravo::hcl::recover

namespace pravo::hcl {

NodeId parse_tolerant(const ParserInput& input, const Lexer& lexer, SyntaxErrors& errors) {
  recover::TokenListStream stream(input.tokens);
  recover::Hcl parser(&stream);
  parser.start(input, lexer, errors);
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
  return parser.root();
}

}  // namespace pravo::hcl
