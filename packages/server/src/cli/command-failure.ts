// What a person can put right; the message is all that they are shown.

export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** Something is wrong in a file. The message begins with the place, as compilers write it, so that editors find it. */
export class FileFailure extends CommandFailure {
  override readonly name = 'FileFailure';
}
