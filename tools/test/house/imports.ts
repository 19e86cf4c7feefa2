import { builtinModules } from 'node:module';
import ts from 'typescript';

const BUILT_IN = new Set(builtinModules);

/** The module names in the import and export statements, `import()` and (in .cjs files) `require()` of a source file. */
export function importsOf(path: string, text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, path.endsWith('.cjs'));
  return [...new Set(importedFiles.map(({ fileName }) => fileName))];
}

/** The name of the package that an import names; undefined for a file of the same package and for Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  if (BUILT_IN.has(first)) return undefined;
  return first.startsWith('@') ? `${first}/${second}` : first;
}
