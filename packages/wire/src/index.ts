// Every JSON body that the service and its clients exchange. Types only: nothing here exists at run time.

export type * from './content.ts';
export type * from './error.ts';
export type * from './field.ts';
export type * from './list.ts';
export type * from './management.ts';
