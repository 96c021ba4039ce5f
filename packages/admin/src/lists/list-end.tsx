// The end of a list that loads page by page: scrolling near it loads the next page. The button does the same, for people who do not scroll
// and for trying again after an error.

import { Alert, Button, Center } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { LIST_TEXTS } from '../texts/list-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

/** The next page loads when the end of the list is within this distance below the screen. */
const MARGIN = '600px';

interface ListEndProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

export function ListEnd({ list }: ListEndProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const ref = useRef<HTMLDivElement>(null);
  const readOn = useEffectEvent(() => {
    if (!isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null || !hasNextPage || isFetchingNextPage) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) readOn();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage]);
  if (!hasNextPage) return null;
  return (
    <Center ref={ref} role="status">
      {isFetchNextPageError && !isFetchingNextPage ? (
        <Alert color="red">
          {LIST_TEXTS.moreFailed}{' '}
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => void fetchNextPage()}>
            {SHELL_TEXTS.tryAgain}
          </Button>
        </Alert>
      ) : (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? LIST_TEXTS.loadingMore : SHELL_TEXTS.showMore}
        </Button>
      )}
    </Center>
  );
}
