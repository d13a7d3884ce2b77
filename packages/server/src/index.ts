export type { AttributeSource } from './auth/attribute-source.ts';
export type { Adapter, Adapters } from './composition/adapters.ts';
export { type CairnServer, createServer, type ServerOptions } from './composition/create-server.ts';
export type { Service } from './composition/service.ts';
export type {
  AuthSettings,
  Configuration,
  ConfigurationInput,
  DatasetSettings,
  DeepPartial,
  GraphSettings,
  LimitSettings,
  RouteInput,
  SearchSettings,
  ServerSettings,
  UserSettings,
} from './config/configuration.ts';
export { completeConfiguration, loadConfiguration } from './config/load.ts';
