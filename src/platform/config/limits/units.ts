// Limits that several files or tests use, or that operators plan with, in one file per subject; unit last, reason in the
// comment. A limit of a single file is a constant there. Exceeding a limit gives a clear answer, never a crash. A limit that
// operators can change is an option (options.ts) that refers to its default here.
export const KIB = 1024;
export const MIB = 1024 * KIB;
