import ts from 'typescript';
import { isTest, read, trackedFiles } from './tracked-files';

/** These views show the locks and sessions of all databases of the server. */
const OF_THE_SERVER = /\bpg_(?:locks|stat_activity)\b/;
const OF_A_DATABASE = /\bdatname = (?:current_database\(\)|\$\d)/;

/** The strings and templates of a source file. */
function texts(path: string): readonly string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) found.push(node.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('statements of tests about locks and sessions', () => {
  it('name their database, because simultaneous test files share one PostgreSQL', () => {
    const tests = trackedFiles().filter(
      (path) => /\.tsx?$/.test(path) && (isTest(path) || path.startsWith('libs/testing/')),
    );
    const statements = tests
      .flatMap((path) => texts(path).map((text) => ({ path, text })))
      .filter(({ text }) => OF_THE_SERVER.test(text));
    expect(statements.length).toBeGreaterThan(15);
    expect(statements.filter(({ text }) => !OF_A_DATABASE.test(text))).toEqual([]);
  });
});
