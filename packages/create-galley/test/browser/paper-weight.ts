// The demo's article about the weight of a page, and changes to its parts.

import type { FrontEndProject } from '../packaging/front-end-project.ts';

export const PAPER = 'c_paper_weight';

/** The fields that the tests change. */
export interface Paper {
  readonly name: string;
  readonly fields: {
    readonly sections: {
      readonly blocks: {
        readonly fields: { readonly columns?: { readonly blocks: { readonly fields: { text: { text: string } } }[] } };
      }[];
    };
    readonly cover: { readonly assets: { readonly asset: { description: string } }[] };
    readonly related: { readonly content_links: { readonly content_link: { name: string } }[] };
  };
}

/** Reads content as the front end reads it in draft mode. */
export async function readDraft<T>({ galleyUrl }: FrontEndProject, secret: string, id: string): Promise<T> {
  const headers = { authorization: `Bearer ${secret}`, 'x-service-site': 's_demo', 'x-service-source-map': 'true' };
  return (await fetch(`${galleyUrl}/api/v1/content/${id}`, { headers })).json() as Promise<T>;
}

/** Returns the article with other text in a nested block, with another description of its picture, and with another linked name. */
export function changeParts(paper: Paper, text: string): readonly [nested: Paper, picture: Paper, link: Paper] {
  const [nested, picture, link] = [structuredClone(paper), structuredClone(paper), structuredClone(paper)];
  const block = nested.fields.sections.blocks[1]?.fields.columns?.blocks[0];
  const [cover] = picture.fields.cover.assets;
  const [related] = link.fields.related.content_links;
  if (!block || !cover || !related) throw new Error('The article does not have these parts');
  block.fields.text.text = text;
  cover.asset.description = text;
  related.content_link.name = text;
  return [nested, picture, link];
}

export function buildUpdate(content: Paper): object {
  return { message: 'service-update-content', content: JSON.stringify(content) };
}
