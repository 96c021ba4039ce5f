// Shows the uploads on every page, and asks for confirmation before somebody leaves the panel during an upload.

import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../elements/lazy-part.tsx';
import { registerUnsavedWork } from '../../forms/unsaved-work.ts';
import { assetsKey } from '../asset-queries.ts';
import { isActive, type Queue } from './upload-queue.ts';
import { uploads, useUploadQueue } from './uploads.ts';

const UploadPanel = lazyPart(async () => (await import('./upload-panel.tsx')).UploadPanel);

export function UploadHost() {
  const queue = useUploadQueue();
  const isUploading = queue.some(isActive);
  useEffect(() => (isUploading ? askBeforeUnload() : undefined), [isUploading]);
  return (
    <>
      {listDone(queue).map(([site, count]) => (
        <ReloadedAssets key={site} site={site} count={count} />
      ))}
      {queue.length > 0 && (
        <Suspense>
          <UploadPanel queue={queue} uploads={uploads} />
        </Suspense>
      )}
    </>
  );
}

function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  const unregister = registerUnsavedWork({ save: async () => false, end: () => uploads.cancelAll() });
  return () => {
    window.removeEventListener('beforeunload', ask);
    unregister();
  };
}

/** The number of finished uploads for each site. */
function listDone(queue: Queue): readonly (readonly [site: string, count: number])[] {
  const done = queue.filter(({ state }) => state.name === 'done');
  return [...new Set(done.map(({ site }) => site))].map((site) => [
    site,
    done.filter((upload) => upload.site === site).length,
  ]);
}

/** Loads a site's assets again whenever another upload has finished. */
function ReloadedAssets({ site, count }: { readonly site: string; readonly count: number }) {
  const queryClient = useQueryClient();
  const [known, setKnown] = useState(0);
  useEffect(() => {
    if (count > known) void queryClient.invalidateQueries({ queryKey: assetsKey(site) });
    setKnown(count);
  }, [queryClient, site, count, known]);
  return null;
}
