#include "frontend/hcl/lexer.h"
namespace pravo::hcl {
bool Lexer::fault_character(const char*&) { return false; }
bool Lexer::fault_operator(const char*&) { return false; }
bool Lexer::fault_closer(const char*&) { return false; }
bool Lexer::fault_assign(const char*&) { return false; }
bool Lexer::fault_comment(const char*&) { return false; }
bool Lexer::fault_heredoc_marker(const char*&) { return false; }
bool Lexer::fault_heredoc_end(const char*&) { return false; }
bool Lexer::fault_string(const char*&) { return false; }
bool Lexer::fault_escape(const char*&) { return false; }
bool Lexer::fault_directive(const char*&, const char*) { return false; }
bool Lexer::fault_utf8(const char*, const char*) { return false; }
bool Lexer::fault_depth(const char*&) { return false; }
bool Lexer::fault_end(const char*) { return false; }
}  // namespace pravo::hcl
