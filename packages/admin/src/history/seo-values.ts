// The SEO of content as a form has it: every member a text, and back again.

import { isObject } from './field-values.ts';

export interface SeoValues {
  readonly title: string;
  readonly description: string;
  readonly robots: string;
  readonly canonical_url: string;
  readonly og_title: string;
  readonly og_description: string;
  readonly og_image_secure_url: string;
  readonly og_image_alt: string;
  readonly og_image_width: string | number;
  readonly og_image_height: string | number;
  readonly og_url: string;
}

export function readSeo(seo: Readonly<Record<string, unknown>>): SeoValues {
  const graph = isObject(seo.open_graph) ? seo.open_graph : {};
  return {
    title: readText(seo.title),
    description: readText(seo.description),
    robots: readText(seo.robots),
    canonical_url: readText(seo.canonical_url),
    og_title: readText(graph.title),
    og_description: readText(graph.description),
    og_image_secure_url: readText(graph.image_secure_url),
    og_image_alt: readText(graph.image_alt),
    og_image_width: readNumber(graph.image_width),
    og_image_height: readNumber(graph.image_height),
    og_url: readText(graph.url),
  };
}

export function buildSeo(values: SeoValues) {
  return {
    title: orNull(values.title),
    description: orNull(values.description),
    robots: orNull(values.robots),
    canonical_url: orNull(values.canonical_url),
    open_graph: {
      title: orNull(values.og_title),
      description: orNull(values.og_description),
      image_secure_url: orNull(values.og_image_secure_url),
      image_alt: orNull(values.og_image_alt),
      image_width: orNull(values.og_image_width),
      image_height: orNull(values.og_image_height),
      url: orNull(values.og_url),
    },
  };
}

/** The field of the form that a path of the API means: `seo.open_graph.title` is `og_title`. */
export function findSeoField(path: string): keyof SeoValues | undefined {
  const name = path.replace(/^seo\./, '').replace(/^open_graph\./, 'og_');
  return isSeoField(name) ? name : undefined;
}

function isSeoField(name: string): name is keyof SeoValues {
  return Object.hasOwn(readSeo({}), name);
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readNumber(value: unknown): string | number {
  return typeof value === 'number' ? value : '';
}

function orNull<Value extends string | number>(value: Value): Value | null {
  return value === '' ? null : value;
}
