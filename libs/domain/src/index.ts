export * from './errors/domain-error';
