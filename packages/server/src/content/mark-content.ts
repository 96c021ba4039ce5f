// Adds marks to content for a preview, and lists the values that cannot have one. It changes the pieces that rendering joins, so that
// rendering itself does not have to handle marks.

import type { SourceMapEntryBody } from '@galley/wire';
import { type Body, PIECES, parseIds } from './body.ts';
import type { Catalog } from './catalog.ts';
import type { ContentType, Field } from './field.ts';
import { encodeMark, type Mark } from './marks.ts';
import { placeMark } from './place-mark.ts';
import type { Related, SetContent, ShownAsset } from './render-content.ts';
import type { TypesetBlock } from './typeset.ts';

export interface MarkedContents {
  readonly rows: readonly SetContent[];
  readonly related: Related;
  /** The JSON of each object's `source_map`. */
  readonly sourceMaps: readonly string[];
}

/** Thrown if the marks and source maps are longer than a response may be. */
class TooLarge extends Error {}

/** Returns undefined if the marked content would be longer than `related.mostCharacters`. */
export function markContents(
  rows: readonly SetContent[],
  related: Related,
  catalog: Catalog,
): MarkedContents | undefined {
  try {
    return new Marking(related, catalog).mark(rows);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** The content whose values are being marked. */
interface Owner extends Pick<Mark, 'id' | 'language'> {
  readonly isLinked: boolean;
  readonly unmarked: SourceMapEntryBody[];
}

interface MarkedRow {
  readonly row: SetContent;
  readonly unmarked: readonly SourceMapEntryBody[];
}

class Marking {
  readonly #related: Related;
  readonly #catalog: Catalog;
  /** Contains a copy for each use of an asset, because the mark says where the asset is used. */
  readonly #assets: Map<string, ShownAsset>;
  readonly #links = new Map<string, MarkedRow>();
  #characters = 0;

  constructor(related: Related, catalog: Catalog) {
    this.#related = related;
    this.#catalog = catalog;
    this.#assets = new Map(related.assets);
  }

  mark(rows: readonly SetContent[]): MarkedContents {
    for (const [id, row] of this.#related.links) this.#links.set(id, this.#markRow(row, true));
    const marked = rows.map((row) => this.#markRow(row, false));
    const links = new Map([...this.#links].map(([id, { row }]) => [id, row]));
    return {
      rows: marked.map(({ row }) => row),
      related: { ...this.#related, assets: this.#assets, links },
      sourceMaps: marked.map(({ unmarked }) => this.#count(JSON.stringify(unmarked))),
    };
  }

  #markRow({ body }: SetContent, isLinked: boolean): MarkedRow {
    const { id, name, language } = readOrigin(body);
    const owner: Owner = { id, language, isLinked, unmarked: [] };
    const pieces = [...body.pieces];
    if (name === '') this.#note(owner, { path: 'name', source: 'name' });
    else pieces[PIECES.head] = markName(pieces[PIECES.head] ?? '', this.#encode(owner, 'name'));
    const values = this.#markFields(owner, body.typeNo, pieces.slice(PIECES.fields), 'fields', 'fields');
    pieces.splice(PIECES.fields, pieces.length, ...values);
    return { row: { body: { ...body, isAscii: false, pieces } }, unmarked: owner.unmarked };
  }

  #encode({ id, language }: Owner, path: string, asset?: string): string {
    return this.#count(encodeMark({ id, path, language, ...(asset === undefined ? {} : { asset }) }));
  }

  #count(text: string): string {
    this.#characters += text.length;
    if (this.#characters > this.#related.mostCharacters) throw new TooLarge();
    return text;
  }

  /**
   * @param values the pieces of the values, by slot
   * @param path where the fields are in the object
   * @param source where the fields are in the saved content, which may have items that are not shown
   */
  #markFields(
    owner: Owner,
    typeNo: number,
    values: readonly string[],
    path: string,
    source: string,
  ): readonly string[] {
    const type = this.#findType(typeNo);
    const marked = [...values];
    for (const field of type.fields) {
      const places = { path: `${path}.${field.handle}`, source: `${source}.${field.handle}` };
      const value = values[field.slot] ?? '';
      if (value === '') this.#note(owner, places);
      else marked[field.slot] = this.#markValue(owner, field, value, places);
    }
    return marked;
  }

  #markValue(owner: Owner, field: Field, value: string, places: Places): string {
    switch (field.type) {
      case 'text':
        return JSON.stringify(this.#markText(owner, parse<string>(value), field, places));
      case 'list':
        return this.#markItems(owner, field, value, places);
      case 'assets':
        return this.#markAssets(owner, value, places);
      case 'blocks':
        return this.#markBlocks(owner, value, places);
      case 'content_links':
        this.#noteLinked(owner, value, places);
        return value;
      default:
        this.#note(owner, places);
        return value;
    }
  }

  #markText(owner: Owner, text: string, { settings: { format } }: Field, places: Places): string {
    const place = placeMark(text, format);
    if (place === undefined) {
      this.#note(owner, places);
      return text;
    }
    return text.slice(0, place) + this.#encode(owner, places.source) + text.slice(place);
  }

  #markItems(owner: Owner, field: Field, value: string, places: Places): string {
    const items = parse<readonly { readonly sort: number; readonly text: string }[]>(value);
    return JSON.stringify(
      items.map(({ sort, text }, index) => ({
        sort,
        text: this.#markText(owner, text, field, placeItem(places, 'list', index, index)),
      })),
    );
  }

  #markAssets(owner: Owner, value: string, places: Places): string {
    const shown: string[] = [];
    for (const [index, id] of parseIds(value).entries()) {
      const asset = this.#related.assets.get(id);
      if (asset === undefined) continue;
      const item = placeItem(places, 'assets', shown.length, index);
      this.#note(owner, item);
      shown.push(this.#copyAsset(owner, asset, item));
    }
    if (shown.length === 0) this.#note(owner, places);
    return JSON.stringify(shown);
  }

  /** @returns the key of the copy among the assets */
  #copyAsset(owner: Owner, asset: ShownAsset, { source }: Places): string {
    const { id, description } = asset;
    const place = description === null ? undefined : placeMark(description, 'plain');
    if (place === undefined) return id;
    const key = `${id} ${this.#assets.size}`;
    this.#assets.set(key, { ...asset, description: description + this.#encode(owner, source, id) });
    return key;
  }

  #markBlocks(owner: Owner, value: string, places: Places): string {
    const blocks = parse<readonly TypesetBlock[]>(value);
    return JSON.stringify(
      blocks.map(([typeNo, name, values], index): TypesetBlock => {
        const { path, source } = placeItem(places, 'blocks', index, index);
        return [typeNo, name, this.#markFields(owner, typeNo, values, `${path}.fields`, `${source}.fields`)];
      }),
    );
  }

  /** Also lists the values in linked content that have no mark. Links in linked content are only ids. */
  #noteLinked(owner: Owner, value: string, places: Places): void {
    if (owner.isLinked) return;
    let count = 0;
    for (const target of parseIds(value)) {
      const link = this.#links.get(target);
      if (link === undefined) continue;
      const { path } = placeItem(places, 'content_links', count, count);
      for (const each of link.unmarked) {
        const entry = { ...each, path: `${path}.content_link.${each.path}` };
        this.#count(entry.path);
        owner.unmarked.push(entry);
      }
      count += 1;
    }
    if (count === 0) this.#note(owner, places);
  }

  #note({ id, language, unmarked }: Owner, { path, source }: Places): void {
    unmarked.push({ path, id, field: source, language });
  }

  #findType(typeNo: number): ContentType {
    const type = this.#catalog.typesByNo.get(typeNo);
    if (type === undefined) throw new Error(`Content has the unknown type number ${typeNo}`);
    return type;
  }
}

/** Where a value is in the object, and where it is in the saved content. */
interface Places {
  readonly path: string;
  readonly source: string;
}

function placeItem({ path, source }: Places, accessor: string, shown: number, saved: number): Places {
  return { path: `${path}.${accessor}[${shown}]`, source: `${source}.${accessor}[${saved}]` };
}

interface Origin extends Pick<Mark, 'id' | 'language'> {
  readonly name: string;
}

function readOrigin({ pieces }: Body): Origin {
  const { head, uri, language } = PIECES;
  return parse<Origin>(`${pieces[head]}"${pieces[uri]}"${pieces[language]}null}`);
}

const NAME_START = ',"name":"';
const NAME_END = '","uri":';

/** Quotation marks in values are escaped, so `NAME_START` and `NAME_END` cannot occur in a value. */
function markName(head: string, mark: string): string {
  const end = head.indexOf(NAME_END, head.indexOf(NAME_START));
  return head.slice(0, end) + mark + head.slice(end);
}

/** Pieces contain only JSON written by typesetting. */
function parse<Value>(text: string): Value {
  return JSON.parse(text) as Value;
}
