// An asset for unit tests.

import type { ManagedAssetBody } from '@galley/wire';

export function buildAsset(id: string): ManagedAssetBody {
  return {
    id,
    name: 'Heron',
    description: null,
    path: `assets/s_press/${id}/0123456789abcdef/heron.jpg`,
    url: `https://galley.example/assets/s_press/${id}/0123456789abcdef/heron.jpg`,
    extension: 'jpg',
    size: 100,
    mime_type: 'image/jpeg',
    is_image: true,
    width: 1600,
    height: 900,
    focal_point: null,
    placeholder: null,
    colour: null,
    file_name: 'heron.jpg',
    folder: '',
    tags: [],
    created_at: null,
    thumbnail_url: `https://galley.example/assets/s_press/${id}/0123456789abcdef/heron.jpg?w=320&s=signature`,
    preview_url: `https://galley.example/assets/s_press/${id}/0123456789abcdef/heron.jpg?w=1280&s=signature`,
  };
}
