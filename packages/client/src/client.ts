// What a client can do, with the types of the site that it reads.

import type { CallOptions, InLanguage } from './client-options.ts';
import type { ContentPage } from './content-page.ts';
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

/** What `getContentByType` lists, and in which order. */
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

/** What `getContent` lists. */
export interface ListOptions<Site extends SiteShape, Handle extends ContentHandle<Site>> {
  readonly params?: ListParams<Site, Handle> | undefined;
}

/** What `iterate` walks through. */
export interface IterateOptions<Site extends SiteShape, Handle extends ContentHandle<Site>>
  extends ListOptions<Site, Handle> {
  /** How many pages are fetched ahead of the one that is read. 1 by default; 0 fetches each when it is needed. */
  readonly lookAhead?: number | undefined;
}

/** A page of content of certain types of a site; `Preview` is true where it may be a page of previews. */
export type PageOf<
  Site extends SiteShape,
  Handle extends ContentHandle<Site>,
  Preview extends boolean = false,
> = ContentPage<
  ContentRead<Preview, ContentOf<Site, Handle>, PlainPreviews<Site>[Handle]>,
  ListParams<Site, Handle>,
  Site['languages']
>;

/** The options of a call to a site. */
export type CallTo<Site extends SiteShape, Language extends string, Preview extends boolean> = CallOptions<
  Language,
  Preview
> &
  InLanguage<Site['languages'], Language>;

/** Reads the content of one site. A client of a known site can stand wherever one of any site is asked for. */
export type Client<Site extends SiteShape = AnySite> = ClientOf<
  Plain<Site>,
  PlainPreviews<Site>,
  ContentOf<Site>,
  ContentOf<PreviewOf<Site>>
>;

/** What a client can do. Every method stands alone: it can be taken off the client and passed on. */
export interface ClientOf<
  Site extends SiteShape,
  Previews extends { readonly [Handle in keyof Site['contentTypes']]: unknown },
  Content,
  Draft,
> {
  /**
   * One content object. Rejects with an error that `isNotFound` knows where there is none.
   * @example const article = await client.getContentById('c_0197');
   */
  getContentById<Language extends string = Site['languages'], Preview extends boolean = false>(
    id: string,
    call?: CallTo<Site, Language, Preview>,
  ): Promise<ContentRead<Preview, Content, Draft>>;

  /**
   * The content object of a type that has a slug. Rejects with an error that `isNotFound` knows where there is none.
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
   * Content of one type, the newest first unless another order is asked for.
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
   * Content by any parameters of the list endpoint.
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
   * All content that the parameters describe, page after page, by cursor in either mode. Pages hold 100 objects unless
   * `limit` says otherwise. Leaving the loop ends what is still being fetched.
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
