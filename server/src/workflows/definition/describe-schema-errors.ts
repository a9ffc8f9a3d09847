import type { ErrorDetail } from '@majlis/contract';

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params: unknown;
}

/** The errors of a schema as details of a refusal. `where` names the step; `pointer` is the JSON pointer to it. */
export function describeSchemaErrors(errors: readonly SchemaError[], pointer: string, where: string): ErrorDetail[] {
  const prefix = where && `${where}: `;
  return errors.flatMap(({ keyword, instancePath, message, params }) => {
    const place = `${pointer}${instancePath}`;
    const { requiredProperties, additionalProperties, allowedValues } = params as {
      requiredProperties?: string[];
      additionalProperties?: string[];
      allowedValues?: unknown[];
    };
    if (requiredProperties) {
      return requiredProperties.map((name) => ({
        detail: `${prefix}${name} is required`,
        pointer: `${place}/${name}`,
      }));
    }
    if (additionalProperties) {
      return additionalProperties.map((name) => ({
        detail: `${prefix}${name} is not a member of it`,
        pointer: `${place}/${name}`,
      }));
    }
    // A repetition of the error above.
    if (keyword === 'boolean') return [];
    const names = allowedValues
      ? `must be one of ${allowedValues.join(', ')}`
      : describeError(keyword, message, params);
    return [{ detail: `${prefix}${instancePath.slice(1)} ${names}`, pointer: place }];
  });
}

function describeError(keyword: string, message: string, params: unknown): string {
  const isDuration = keyword === 'pattern' && String((params as { pattern?: unknown }).pattern).includes('[smhd]');
  return isDuration ? 'must be a time such as 90s, 15m, 2h or 3d' : message;
}
