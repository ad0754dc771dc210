export interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly query?: object;
  readonly fields?: readonly string[];
}

export function describeRoutes(
  controllers: readonly object[],
  product: { readonly resolveSchema: unknown; readonly MICROVERSIONS: unknown },
): readonly DescribedRoute[];
