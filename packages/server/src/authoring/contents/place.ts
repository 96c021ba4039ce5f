import type { Catalog } from '../../content/catalog.ts';
import type { ContentType } from '../../content/field.ts';

/** What the content is, whatever its values are. */
export interface Place {
  readonly catalog: Catalog;
  readonly type: ContentType;
  readonly language: string;
  readonly id: string;
}
