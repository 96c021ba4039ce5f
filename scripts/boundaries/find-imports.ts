// The imports of one source file in every form: static, re-exported, dynamic, or inside a type.

import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** The text between the quotes, or null if the argument of `import()` is computed. */
  readonly specifier: string | null;
  readonly line: number;
  /** True if stripping the types removes the whole statement. */
  readonly isTypeOnly: boolean;
}

export function findImports(path: string, text: string): readonly Import[] {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`);
  const imports: Import[] = [];
  const add = (specifier: string | null, start: number, isTypeOnly: boolean): void => {
    imports.push({ specifier, line: text.slice(0, start).split('\n').length, isTypeOnly });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.start, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source.value, node.start, node.exportKind === 'type');
    },
    ImportExpression: (node) => {
      const { source } = node;
      const isText = source.type === 'Literal' && typeof source.value === 'string';
      add(isText ? source.value : null, node.start, false);
    },
    TSImportType: (node) => add(node.source.value, node.start, true),
  }).visit(program);
  return imports;
}
