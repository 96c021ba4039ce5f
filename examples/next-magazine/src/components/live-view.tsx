'use client';

// A page in draft mode. In the panel's preview, it shows what the editor types.

import { showToolbar } from '@galley/preview';
import { useLivePreview } from '@galley/preview/react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useTransition } from 'react';
import { buildPath } from '../lib/build-path.ts';
import type { PreviewSettings } from '../lib/preview-settings.ts';
import { ContentView, type ContentViewProps } from './content-view.tsx';

interface LiveViewProps extends ContentViewProps {
  readonly preview: PreviewSettings;
}

export function LiveView({ content: saved, preview, ...others }: LiveViewProps) {
  const { panelUrl, siteId, brand } = preview;
  const refresh = useRefresh();
  const content = useLivePreview(saved, {
    panelOrigin: panelUrl,
    brand,
    onRefresh() {
      const path = buildPath(content.uri);
      // After a new slug is saved, the page has a different path.
      return path === location.pathname ? refresh() : location.replace(path);
    },
  });

  useEffect(() => {
    const toolbar = showToolbar({ panelUrl, siteId, contentId: saved.id, leaveUrl: '/api/draft/leave' });
    return () => toolbar.remove();
  }, [panelUrl, siteId, saved.id]);

  return <ContentView content={content} {...others} />;
}

/** Returns a function that reads the page again and resolves when the page shows the new content. */
function useRefresh(): () => Promise<void> {
  const router = useRouter();
  const [isRefreshing, startRefreshing] = useTransition();
  const afterRefresh = useRef<(() => void)[]>([]);
  useEffect(() => {
    if (!isRefreshing) for (const resolve of afterRefresh.current.splice(0)) resolve();
  }, [isRefreshing]);
  return () =>
    new Promise((resolve) => {
      afterRefresh.current.push(resolve);
      startRefreshing(() => router.refresh());
    });
}
