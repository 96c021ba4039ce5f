// What stands in braces in paths.

import type { Parameter } from './management-document.ts';

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  asset: 'The id of the asset.',
  author: 'The id of the author.',
  content: 'The id of the content object.',
  field: 'The id or the handle of the field.',
  from: 'The number of the version to compare from.',
  key: 'The id of the API key.',
  language: 'A language of the site.',
  number: 'The number of the version.',
  site: 'The id of the site.',
  to: 'The number of the version to compare with.',
  token: 'The id of the management token.',
  type: 'The id or the handle of the content type.',
  user: 'The id of the user.',
};

export function buildPathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const description = PATH_PARAMETERS[name];
    return {
      name,
      in: 'path',
      ...(description === undefined ? {} : { description }),
      required: true,
      schema: { type: 'string', minLength: 1 },
    };
  });
}
