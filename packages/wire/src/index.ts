// All JSON bodies that the service and its clients exchange. This package contains only types: none of them exists at run time.

export type * from './delivery-api.ts';
export type * from './management.ts';
