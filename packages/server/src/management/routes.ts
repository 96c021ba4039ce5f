// The index of the management API: all its routes.

import type { Route } from './route.ts';
import { ACCOUNT_ROUTES } from './routes/account-routes.ts';
import { ASSET_FILE_ROUTES } from './routes/asset-file-routes.ts';
import { ASSET_ROUTES } from './routes/asset-routes.ts';
import { ASSET_SETTINGS_ROUTES } from './routes/asset-settings-routes.ts';
import { ASSET_USE_ROUTES } from './routes/asset-use-routes.ts';
import { AUDIT_ROUTES } from './routes/audit-routes.ts';
import { AUTHOR_ROUTES } from './routes/author-routes.ts';
import { CONTENT_ROUTES } from './routes/content-routes.ts';
import { FIELD_ROUTES } from './routes/field-routes.ts';
import { KEY_ROUTES } from './routes/key-routes.ts';
import { LIBRARY_ROUTES } from './routes/library-routes.ts';
import { LIFECYCLE_ROUTES } from './routes/lifecycle-routes.ts';
import { LINK_ROUTES } from './routes/link-routes.ts';
import { OVERVIEW_ROUTES } from './routes/overview-routes.ts';
import { PREVIEW_ROUTES } from './routes/preview-routes.ts';
import { SESSION_ROUTES } from './routes/session-routes.ts';
import { SETUP_ROUTES } from './routes/setup-routes.ts';
import { SHARE_LINK_ROUTES } from './routes/share-link-routes.ts';
import { SITE_ROUTES } from './routes/site-routes.ts';
import { TOKEN_ROUTES } from './routes/token-routes.ts';
import { TRAFFIC_ROUTES } from './routes/traffic-routes.ts';
import { TYPE_ROUTES } from './routes/type-routes.ts';
import { USER_ROUTES } from './routes/user-routes.ts';
import { VERSION_ROUTES } from './routes/version-routes.ts';
import { WEBHOOK_CALL_ROUTES } from './routes/webhook-call-routes.ts';
import { WEBHOOK_ROUTES } from './routes/webhook-routes.ts';

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
  ...ASSET_FILE_ROUTES,
  ...ASSET_USE_ROUTES,
  ...LIBRARY_ROUTES,
  ...ASSET_SETTINGS_ROUTES,
  ...CONTENT_ROUTES,
  ...LIFECYCLE_ROUTES,
  ...VERSION_ROUTES,
  ...LINK_ROUTES,
  ...PREVIEW_ROUTES,
  ...SHARE_LINK_ROUTES,
  ...TYPE_ROUTES,
  ...FIELD_ROUTES,
  ...WEBHOOK_ROUTES,
  ...WEBHOOK_CALL_ROUTES,
];
