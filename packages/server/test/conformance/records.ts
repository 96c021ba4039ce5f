// Bundle records with neutral defaults for properties that do not matter to a test.

/** A site in three languages, with a URL. */
export const PRESS = 's_press';
/** A site in one language, without a URL. */
export const PLAIN = 's_plain';

type Fields = Readonly<Record<string, object>>;

export interface ContentParts {
  readonly id: string;
  readonly site?: string;
  readonly content_type?: string;
  readonly author?: string | null;
  readonly language?: string;
  readonly translation_of?: string | null;
  readonly slug?: string;
  readonly name?: string;
  readonly uri?: string;
  readonly status?: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly published_at?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly seo?: object;
  readonly fields?: Fields;
  readonly draft?: object;
}

/** A content record with neutral defaults for properties that do not matter to a test. */
export function content(parts: ContentParts): object {
  const { id, status = 'published' } = parts;
  const slug = id.replace(/^c_/, '').replaceAll('_', '-');
  return {
    kind: 'content',
    site: PRESS,
    content_type: 'note',
    language: 'en',
    slug,
    name: slug,
    status,
    ...(status === 'published' && { published_at: at(1) }),
    created_at: at(1),
    updated_at: at(1),
    ...parts,
  };
}

/** A time in the fixture: noon on a day in January 2024. */
export function at(day: number): string {
  return `2024-01-${String(day).padStart(2, '0')}T12:00:00+00:00`;
}

export interface FieldParts {
  readonly handle: string;
  readonly type: string;
  readonly [setting: string]: unknown;
}

export function contentType(site: string, handle: string, fields: readonly FieldParts[], parts: object = {}): object {
  return {
    kind: 'content_type',
    id: `t_${handle}`,
    site,
    handle,
    name: handle,
    object_type: 'entry',
    fields,
    ...parts,
  };
}

export function site(id: string, parts: object = {}): object {
  return { kind: 'site', id, name: id, default_language: 'en', languages: ['en'], ...parts };
}

export function author(id: string, name: string, parts: object = {}): object {
  return { kind: 'author', id, site: PRESS, name, email: null, profile_photo_url: null, ...parts };
}
