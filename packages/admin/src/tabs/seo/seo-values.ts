// Converts a content object's SEO settings to the form's flat values, and back.

import { type FieldValues, isRecord } from '../../editor/fields/field-values.ts';

export interface SeoValues {
  readonly title: string;
  readonly description: string;
  readonly robots: string;
  readonly canonical_url: string;
  readonly og_title: string;
  readonly og_description: string;
  readonly og_image_secure_url: string;
  readonly og_image_alt: string;
  readonly og_image_width: number | undefined;
  readonly og_image_height: number | undefined;
  readonly og_url: string;
}

export function readSeo(seo: FieldValues): SeoValues {
  const graph = isRecord(seo.open_graph) ? seo.open_graph : {};
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
      image_width: values.og_image_width ?? null,
      image_height: values.og_image_height ?? null,
      url: orNull(values.og_url),
    },
  };
}

/** The API path for a field of the form: `seo.open_graph.title` for `og_title`. */
export function buildSeoPath(name: keyof SeoValues): string {
  return name.startsWith('og_') ? `seo.open_graph.${name.slice('og_'.length)}` : `seo.${name}`;
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
