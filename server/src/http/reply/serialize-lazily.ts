import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

/**
 * Fastify's own serializers, each compiled at its first answer. To compile the schemas of some 300 routes at the start takes
 * most of a second of processor time, of which a process uses a small part; one schema takes a few milliseconds.
 */
export const serializeLazily: typeof SerializerSelector = () => {
  const factory = SerializerSelector();
  return (externalSchemas, options) => {
    const compile = factory(externalSchemas, options);
    return (route) => {
      let serialize: ReturnType<typeof compile> | undefined;
      return (answer) => {
        serialize ??= compile(route);
        return serialize(answer);
      };
    };
  };
};
