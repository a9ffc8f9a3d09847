import type { ErrorDetail } from '@majlis/contract';

interface SchemaError {
  keyword: string;
  instancePath: string;
  message: string;
  params: unknown;
}

/** What a schema finds wrong, as details of a refusal; `where` names the step that it is about. */
export function faultsOf(errors: readonly SchemaError[], pointer: string, where: string): ErrorDetail[] {
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
    // Said again by the error above.
    if (keyword === 'boolean') return [];
    const names = allowedValues ? `must be one of ${allowedValues.join(', ')}` : describe(keyword, message, params);
    return [{ detail: `${prefix}${instancePath.slice(1)} ${names}`, pointer: place }];
  });
}

function describe(keyword: string, message: string, params: unknown): string {
  const isDuration = keyword === 'pattern' && String((params as { pattern?: unknown }).pattern).includes('[smhd]');
  return isDuration ? 'must be a time such as 90s, 15m, 2h or 3d' : message;
}
