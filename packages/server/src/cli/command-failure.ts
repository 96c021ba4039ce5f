// An error that the user can fix. Only its message is printed.

export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** An error in a file. The message starts with FILE:LINE, as compilers write it, so that editors can jump there. */
export class FileFailure extends CommandFailure {
  override readonly name = 'FileFailure';
}
