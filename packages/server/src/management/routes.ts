// The table of all routes of the management API: its index.

import { ACCOUNT_ROUTES } from './account/account-routes.ts';
import { ASSET_ROUTES } from './assets/asset-routes.ts';
import { AUDIT_ROUTES } from './audit/audit-routes.ts';
import { AUTHOR_ROUTES } from './authors/author-routes.ts';
import { CONTENT_ROUTES } from './content/content-routes.ts';
import { DELIVERED_ROUTE } from './content/delivered-route.ts';
import { LIFECYCLE_ROUTES } from './content/lifecycle-routes.ts';
import { KEY_ROUTES } from './keys/key-routes.ts';
import { LINK_ROUTES } from './links/link-routes.ts';
import { OVERVIEW_ROUTES } from './overview/overview-routes.ts';
import type { Route } from './route.ts';
import { SESSION_ROUTES } from './session/session-routes.ts';
import { SETUP_ROUTES } from './setup/setup-routes.ts';
import { SITE_ROUTES } from './sites/site-routes.ts';
import { TOKEN_ROUTES } from './tokens/token-routes.ts';
import { TRAFFIC_ROUTES } from './traffic/traffic-routes.ts';
import { FIELD_ROUTES } from './types/field-routes.ts';
import { TYPE_ROUTES } from './types/type-routes.ts';
import { USER_ROUTES } from './users/user-routes.ts';
import { VERSION_ROUTES } from './versions/version-routes.ts';

export const MANAGEMENT_ROUTES: readonly Route[] = [
  ...SETUP_ROUTES,
  ...SESSION_ROUTES,
  ...ACCOUNT_ROUTES,
  ...USER_ROUTES,
  ...TOKEN_ROUTES,
  ...AUDIT_ROUTES,
  ...KEY_ROUTES,
  ...TRAFFIC_ROUTES,
  ...SITE_ROUTES,
  ...OVERVIEW_ROUTES,
  ...AUTHOR_ROUTES,
  ...ASSET_ROUTES,
  ...CONTENT_ROUTES,
  DELIVERED_ROUTE,
  ...LIFECYCLE_ROUTES,
  ...VERSION_ROUTES,
  ...LINK_ROUTES,
  ...TYPE_ROUTES,
  ...FIELD_ROUTES,
];
