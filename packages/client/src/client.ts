// A client's methods, with types for its site.

import type { CallOptions, InLanguage } from './client-options.ts';
import type { ContentPage } from './content-page.ts';
import type { ChangeMethods } from './follow-options.ts';
import type { ListParams, SortDirection, SortKey } from './list-params.ts';
import type {
  AnySite,
  ContentHandle,
  ContentOf,
  ContentRead,
  Plain,
  PlainPreviews,
  PreviewOf,
  SiteShape,
} from './site.ts';

/** The arguments of `getContentByType`. */
export interface ByTypeOptions<Site extends SiteShape, Handle extends ContentHandle<Site>> {
  /** The handle of a content type. */
  readonly contentType: Handle;
  /** From 1 to 100; the server's default is 20. */
  readonly limit?: number | undefined;
  /** An attribute, or a field as `<handle>.text` or `<handle>.number`. `published_at` by default. */
  readonly sortBy?: SortKey<ContentOf<Site, Handle>> | undefined;
  /** `desc` by default. */
  readonly sortDirection?: SortDirection | undefined;
}

/** The arguments of `getContent`. */
export interface ListOptions<Site extends SiteShape, Handle extends ContentHandle<Site>> {
  readonly params?: ListParams<Site, Handle> | undefined;
}

/** The arguments of `iterate`. */
export interface IterateOptions<Site extends SiteShape, Handle extends ContentHandle<Site>>
  extends ListOptions<Site, Handle> {
  /** The number of pages to fetch ahead. 1 by default; 0 fetches each page when it is needed. */
  readonly lookAhead?: number | undefined;
}

/** A page of content of the given types. `Preview` is true if it may contain previews. */
export type PageOf<
  Site extends SiteShape,
  Handle extends ContentHandle<Site>,
  Preview extends boolean = false,
> = ContentPage<
  ContentRead<Preview, ContentOf<Site, Handle>, PlainPreviews<Site>[Handle]>,
  ListParams<Site, Handle>,
  Site['languages']
>;

/** The options for a call that reads a site. */
export type CallTo<Site extends SiteShape, Language extends string, Preview extends boolean> = CallOptions<
  Language,
  Preview
> &
  InLanguage<Site['languages'], Language>;

/**
 * Reads the content of one site. A client with a `Site` type can be used wherever a client for any site is expected. `Published` contains
 * the types of published content, if they differ from those of `Site`.
 */
export type Client<Site extends SiteShape = AnySite, Published extends SiteShape = Site> = ClientOf<
  Plain<Site>,
  PlainPreviews<Site>,
  ContentOf<Site>,
  ContentOf<PreviewOf<Site>>
> &
  ChangeMethods<Plain<Published>>;

/** The methods of a client that read content. None of them uses `this`, so they can be passed as functions. */
export interface ClientOf<
  Site extends SiteShape,
  Previews extends { readonly [Handle in keyof Site['contentTypes']]: unknown },
  Content,
  Draft,
> {
  /**
   * Fetches one content object. If there is none, rejects with an error that `isNotFound` recognises.
   * @example const article = await client.getContentById('c_0197');
   */
  getContentById<Language extends string = Site['languages'], Preview extends boolean = false>(
    id: string,
    call?: CallTo<Site, Language, Preview>,
  ): Promise<ContentRead<Preview, Content, Draft>>;

  /**
   * Fetches a content object by its type and slug. If there is none, rejects with an error that `isNotFound` recognises.
   * @example const article = await client.getContentBySlug('hello', 'article');
   */
  getContentBySlug<
    Handle extends ContentHandle<Site>,
    Language extends string = Site['languages'],
    Preview extends boolean = false,
  >(
    slug: string,
    contentType: Handle,
    call?: CallTo<Site, Language, Preview>,
  ): Promise<ContentRead<Preview, ContentOf<Site, Handle>, Previews[Handle]>>;

  /**
   * Lists content of one type, newest first by default.
   * @example const { content } = await client.getContentByType({ contentType: 'article', limit: 10 });
   */
  getContentByType<
    Handle extends ContentHandle<Site>,
    Language extends string = Site['languages'],
    Preview extends boolean = false,
  >(
    options: ByTypeOptions<Site, Handle>,
    call?: CallTo<Site, Language, Preview>,
  ): Promise<
    ContentPage<
      ContentRead<Preview, ContentOf<Site, Handle>, Previews[Handle]>,
      ListParams<Site, Handle>,
      Site['languages']
    >
  >;

  /**
   * Lists content with any parameters of the list endpoint.
   * @example
   * const page = await client.getContent({ params: { content_type: 'article', sort: 'name:asc', limit: 50 } });
   */
  getContent<
    Handle extends ContentHandle<Site> = ContentHandle<Site>,
    Language extends string = Site['languages'],
    Preview extends boolean = false,
  >(
    options?: ListOptions<Site, Handle>,
    call?: CallTo<Site, Language, Preview>,
  ): Promise<
    ContentPage<
      ContentRead<Preview, ContentOf<Site, Handle>, Previews[Handle]>,
      ListParams<Site, Handle>,
      Site['languages']
    >
  >;

  /**
   * Iterates over all content that matches the parameters, page by page. Always uses cursors, even in simple mode. Pages have 100 objects
   * unless `limit` is set. Exiting the loop cancels requests in flight.
   * @example
   * for await (const article of client.iterate({ params: { content_type: 'article' } })) console.log(article.name);
   */
  iterate<
    Handle extends ContentHandle<Site> = ContentHandle<Site>,
    Language extends string = Site['languages'],
    Preview extends boolean = false,
  >(
    options?: IterateOptions<Site, Handle>,
    call?: CallTo<Site, Language, Preview>,
  ): AsyncGenerator<ContentRead<Preview, ContentOf<Site, Handle>, Previews[Handle]>, void, undefined>;
}
