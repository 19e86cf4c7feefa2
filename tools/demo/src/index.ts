export { DemoSite, NamesTakenError } from './demo-site';
export { DemoModule } from './demo.module';
