// The panel's uploads.

import { useSyncExternalStore } from 'react';
import { api, readAnswer } from '../../api/api.ts';
import { openUploads } from './open-uploads.ts';
import { sendUpload } from './send-upload.ts';
import type { Queue } from './upload-queue.ts';

export const uploads = openUploads({
  send: sendUpload,
  read: (site, asset) =>
    readAnswer(api.GET('/manage/v1/sites/{site}/assets/{asset}', { params: { path: { site, asset } } })),
});

export function useUploadQueue(): Queue {
  return useSyncExternalStore(uploads.watch, uploads.read);
}
