// Every JSON body that the service and its clients exchange. Types only: nothing here exists at run time.

export type * from './delivery-api.ts';
export type * from './management.ts';
