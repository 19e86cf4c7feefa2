export * from './message-transport';
