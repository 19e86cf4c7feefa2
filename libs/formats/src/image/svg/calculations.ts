import { generate, type CssNode } from 'css-tree';
import { parseLength, partsOf } from './values';

/** The value with the results of its `calc()` in pixels, as far as they don't depend on a box. */
export function withoutCalculations(value: string): string {
  if (!/calc\(/i.test(value)) return value;
  return partsOf(value)
    .map((part) => {
      const result =
        part.type === 'Function' && /^calc$/i.test(part.name) ? calculate(part.children.toArray()) : null;
      return result === null ? generate(part) : `${result.number}${result.isLength ? 'px' : ''}`;
    })
    .join(' ');
}

interface Result {
  readonly number: number;
  readonly isLength: boolean;
}

/** CSS Values, "Mathematical Expressions": products before sums. Null if a part is no number or absolute length. */
function calculate(parts: readonly CssNode[]): Result | null {
  for (const operators of ['+-', '*/']) {
    for (let at = parts.length - 1; at > 0; at--) {
      const part = parts[at];
      if (part?.type !== 'Operator' || !operators.includes(part.value.trim())) continue;
      const [left, right] = [calculate(parts.slice(0, at)), calculate(parts.slice(at + 1))];
      return left && right ? operate(part.value.trim(), left, right) : null;
    }
  }
  const [only] = parts;
  if (parts.length !== 1 || !only) return null;
  if (only.type === 'Parentheses' || only.type === 'Function') return calculate(only.children.toArray());
  if (only.type === 'Number') return { number: Number(only.value), isLength: false };
  const number = only.type === 'Dimension' ? parseLength(generate(only), NaN) : undefined;
  return number === undefined ? null : { number, isLength: true };
}

function operate(operator: string, a: Result, b: Result): Result {
  const number = { '+': a.number + b.number, '-': a.number - b.number, '*': a.number * b.number }[operator];
  return { number: number ?? a.number / b.number, isLength: a.isLength || b.isLength };
}
