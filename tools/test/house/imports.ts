import { builtinModules } from 'node:module';
import ts from 'typescript';

const BUILT_IN = new Set(builtinModules);

/** The module names in the import and export statements, `import()` and (in .cjs files) `require()` of a source file. */
export function importsOf(path: string, text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, path.endsWith('.cjs'));
  return [...new Set(importedFiles.map(({ fileName }) => fileName))];
}

/** The module names in the import and export statements of a source file that name more than types. */
export function valueImportsOf(path: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || namesOnlyTypes(statement)) return [];
    return [moduleSpecifier.text];
  });
}

function namesOnlyTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement;
  if (clause?.isTypeOnly) return true;
  if (ts.isImportDeclaration(statement) && statement.importClause?.name) return false;
  const names = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause;
  if (!names || !(ts.isNamedImports(names) || ts.isNamedExports(names))) return false;
  return names.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** The name of the package that an import names; undefined for a file of the same package and for Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  if (BUILT_IN.has(first)) return undefined;
  return first.startsWith('@') ? `${first}/${second}` : first;
}
