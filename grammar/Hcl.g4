// HCL native syntax, as an LL(1) parser grammar: every decision is taken on one token, so the generated parser
// never predicts (a test counts adaptivePredict in it: 0).
//
// The lexer (frontend/hcl/lexer.h) does what a context-free lexer cannot: it emits FOR, IN, IF and the CONTROL_*
// tokens only where these words are keywords, drops newlines where they mean nothing (inside parentheses, brackets,
// template sequences and `{ for`, after the `{` of an object), joins several newlines into one, and ends a file
// with a newline.
//
// The actions are calls of the tree builder in the parser's base class (frontend/hcl/tree_builder.h):
//   begin()   opens a node at the token just read       here()  opens a node at the token to be read next
//   leaf(K)   a node without children for the last token
//   close(K)  ends the node opened last; its children are the nodes finished since
// What an LL(1) loop cannot exclude (two commas in a row, a comma before `...`) the builder refuses.
parser grammar Hcl;

options { superClass = HclBase; }

tokens {
  NEWLINE, IDENT, NUMBER,
  FOR, IN, IF,
  ASSIGN, COLON, COLONCOLON, COMMA, DOT, ELLIPSIS, FATARROW, QUESTION,
  LPAREN, RPAREN, LBRACK, RBRACK, LBRACE, RBRACE,
  NOT, OR, AND, EQ, NE, LT, GT, LE, GE, PLUS, MINUS, STAR, SLASH, PERCENT,
  QUOTE_OPEN, QUOTE_CLOSE, HEREDOC_OPEN, HEREDOC_CLOSE, STRING,
  INTERPOLATION, CONTROL_IF, CONTROL_ELSE, CONTROL_ENDIF, CONTROL_FOR, CONTROL_ENDFOR, SEQUENCE_END
}

// --- entries

configFile     : { here(); } item* EOF { close_file(); } ;
expressionFile : expression EOF ;
templateFile   : { here(); } part* EOF { close_template_file(); } ;

// --- structure

item : attribute_or_block NEWLINE ;

attribute_or_block
  : IDENT { begin_item(); }
    ( ASSIGN expression { close(NodeKind::Attribute); }
    | label* block_body { close(NodeKind::Block); }
    )
  ;

label
  : IDENT { leaf(NodeKind::Name); }
  | QUOTE_OPEN { begin(); } ( STRING { leaf(NodeKind::StringPart); } )? QUOTE_CLOSE { close_quoted(); }
  ;

// A body in braces is empty, items on lines of their own, or one attribute on the line of both braces. The last
// is checked by the builder, so that a file with errors keeps the items of a body that is laid out wrongly.
block_body
  : LBRACE { begin(); } ( NEWLINE item* | attribute_or_block { inline_item(); } ( NEWLINE item* )? )?
    RBRACE { close_body(); }
  ;

// --- expressions

// A conditional binds to the right: its arms are collected and folded when the expression ends.
expression
  : { begin_expression(); } operation ( QUESTION expression COLON operation )* { end_expression(); }
  ;

// Precedence is resolved by the builder with an explicit stack.
operation
  : operand
    ( ( OR | AND | EQ | NE | LT | GT | LE | GE | PLUS | MINUS | STAR | SLASH | PERCENT ) { binary_operator(); }
      operand
    )* { end_operation(); }
  ;

operand : ( ( MINUS | NOT ) { unary_operator(); } )* primary postfix* { end_operand(); } ;

primary
  : NUMBER { leaf(NodeKind::Number); }
  | variable_or_call
  | quoted_template
  | heredoc
  | parentheses
  | tuple_or_for
  | object_or_for
  ;

variable_or_call
  : IDENT { variable(); }
    ( ( COLONCOLON IDENT )* { function_name(); } LPAREN arguments RPAREN { close(NodeKind::Call); } )?
  ;

arguments
  : ( expression ( COMMA { separator(); } expression? )* ( ELLIPSIS { expand_last(); } )? )?
  ;

parentheses : LPAREN { begin(); } expression RPAREN { close(NodeKind::Paren); } ;

postfix
  : DOT ( IDENT { attribute_access(); } | NUMBER { legacy_index(); } | STAR { attribute_splat(); } )
  | LBRACK { begin_index(); } ( STAR RBRACK { full_splat(); } | expression RBRACK { close(NodeKind::Index); } )
  ;

tuple_or_for
  : LBRACK { begin(); }
    ( FOR for_intro expression for_condition RBRACK { close(NodeKind::ForTuple); }
    | ( expression ( COMMA { separator(); } expression? )* )? RBRACK { close(NodeKind::Tuple); }
    )
  ;

object_or_for
  : LBRACE { begin(); }
    ( FOR for_intro expression FATARROW expression ( ELLIPSIS { set(kGroup); } )? for_condition
      RBRACE { close(NodeKind::ForObject); }
    | ( object_item ( ( COMMA { separator(); } | NEWLINE ) object_item? )* )? RBRACE { close(NodeKind::Object); }
    )
  ;

object_item
  : { here(); } expression { object_key(); } ( ASSIGN | COLON ) expression { close(NodeKind::ObjectItem); }
  ;

for_intro : for_names expression COLON ;

for_names
  : IDENT { leaf(NodeKind::Name); } ( COMMA IDENT { leaf(NodeKind::Name); set(kHasKey); } )? IN
  ;

for_condition : ( IF expression { set(kHasCondition); } )? ;

// --- templates

quoted_template : QUOTE_OPEN { begin(); } part* QUOTE_CLOSE { close_quoted(); } ;

heredoc : HEREDOC_OPEN { begin(); } part* HEREDOC_CLOSE { close_heredoc(); } ;

part
  : STRING { leaf(NodeKind::StringPart); }
  | INTERPOLATION { begin(); strip_left(kStripLeft); } expression
    SEQUENCE_END { strip_right(kStripRight); close(NodeKind::Interpolation); }
  | CONTROL_IF { begin(); strip_left(kStripLeft); } expression SEQUENCE_END { strip_right(kStripRight); } template_body
    ( CONTROL_ELSE { strip_left(kElseStripLeft); } SEQUENCE_END { strip_right(kElseStripRight); } template_body )?
    CONTROL_ENDIF { strip_left(kEndStripLeft); }
    SEQUENCE_END { strip_right(kEndStripRight); close_directive(NodeKind::TemplateIf); }
  | CONTROL_FOR { begin(); strip_left(kStripLeft); } for_names expression
    SEQUENCE_END { strip_right(kStripRight); } template_body
    CONTROL_ENDFOR { strip_left(kEndStripLeft); }
    SEQUENCE_END { strip_right(kEndStripRight); close_directive(NodeKind::TemplateFor); }
  ;

template_body : { here(); } part* { close(NodeKind::TemplateBody); } ;
