/** Expressions of the assembler: numbers, symbols and operators, shared by instructions and directives. */

export type UnaryOperator = '-' | '+' | '~' | '!';
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | '^'
  | '&&'
  | '||'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>=';

/** Functions of numbers that AMDGPU sources have: the greatest, bitwise or, the next multiple. */
export type ExpressionFunction = 'max' | 'or' | 'alignto';

export type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  /** A name, with the relocation it asks for: `x@rel32@lo` → modifier `rel32@lo`; `.` is the name of the place. */
  | { readonly kind: 'symbol'; readonly name: string; readonly modifier: string }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: ExpressionFunction; readonly operands: readonly Expression[] };
