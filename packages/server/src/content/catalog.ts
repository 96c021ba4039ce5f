// A site without its content: its settings, languages and content types.

import type { ContentType, Field } from './field.ts';

export interface Site {
  readonly no: number;
  readonly accountNo: number;
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly defaultLanguage: string;
  readonly languages: readonly string[];
}

export interface Catalog {
  readonly site: Site;
  readonly types: readonly ContentType[];
  readonly typesByNo: ReadonlyMap<number, ContentType>;
  readonly typesByHandle: ReadonlyMap<string, ContentType>;
}

export function buildCatalog(site: Site, types: readonly ContentType[]): Catalog {
  return {
    site,
    types,
    typesByNo: new Map(types.map((type) => [type.no, type])),
    typesByHandle: new Map(types.map((type) => [type.handle, type])),
  };
}

/** Returns a copy of the catalog in which only these fields of one type are required. They may be new fields. */
export function requireOnly({ site, types }: Catalog, typeNo: number, required: readonly Field[]): Catalog {
  const handles = new Set(required.map(({ handle }) => handle));
  return buildCatalog(
    site,
    types.map((type) => {
      const demanded = type.no === typeNo ? required : [];
      const others = type.fields.filter(({ handle }) => type.no !== typeNo || !handles.has(handle));
      return {
        ...type,
        fields: [
          ...others.map((field) => ({ ...field, isRequired: false })),
          ...demanded.map((field) => ({ ...field, isRequired: true, isHidden: false })),
        ],
      };
    }),
  );
}

/** The catalog for readers, who cannot see hidden fields in content or use them in queries. */
export function buildReaderCatalog({ site, types }: Catalog): Catalog {
  return buildCatalog(site, types.map(buildReaderType));
}

export function buildReaderType(type: ContentType): ContentType {
  return { ...type, fields: type.fields.filter((field) => !field.isHidden) };
}
