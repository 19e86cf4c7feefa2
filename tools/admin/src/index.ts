export { UsageError } from './command-line/admin-command';
export { readArguments } from './command-line/arguments';
export { databaseNeed } from './command-line/database-need';
export { COUNT_PROOFS } from './commands/verify-counts.proofs';
export { configFilesOf, configurationClasses } from './configurations/configuration-classes';
export { type FoundVideoTools, INSTALL_FFMPEG, findVideoTools } from './video-tools/find-video-tools';
