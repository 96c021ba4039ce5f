// The lists that a site was asked for, parsed. They serve as long as its catalog does.

import { LRUCache } from 'lru-cache';
import type { Catalog } from '../content/catalog.ts';
import type { ListShape, ShapeMemo } from '../listing/list-query.ts';

const MOST_SHAPES_KEPT = 500;

const shapesByCatalog = new WeakMap<Catalog, LRUCache<string, ListShape>>();

export function findKnownShapes(catalog: Catalog): ShapeMemo {
  const known = shapesByCatalog.get(catalog);
  if (known !== undefined) return known;
  const shapes = new LRUCache<string, ListShape>({ max: MOST_SHAPES_KEPT });
  shapesByCatalog.set(catalog, shapes);
  return shapes;
}
