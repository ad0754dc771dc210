// Converts the hypothetical request between the address and the form. Fields without an input stay unchanged as
// editable JSON. Pure.
import type { RequestBody } from '../decision/request-again';
import { whatIfPath } from '../decision/request-again';

/** The fields with an input. */
export interface RequestFields {
  /** A registered flavor's name or id; '' if `rest` describes the flavor. */
  readonly flavor: string;
  readonly image: string;
  readonly count: string;
  readonly zone: string;
  readonly group: string;
  readonly project: string;
  readonly user: string;
  /** All other fields as JSON. */
  readonly rest: string;
}

export const FIRST_FIELDS: RequestFields = {
  flavor: '',
  image: '',
  count: '1',
  zone: '',
  group: '',
  project: 'admin',
  user: 'admin',
  rest: '',
};

/** Address of the page for one instance of a flavor. */
export function whatIfOf(flavor: string): string {
  const { project, user } = FIRST_FIELDS;
  return whatIfPath({ flavor, num_instances: 1, project_id: project, user_id: user });
}

/** Undefined if the text is not a request. */
export function readRequest(encoded: string): RequestBody | undefined {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof document === 'object' && document !== null ? (document as RequestBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Every field of the body appears in exactly one field of the form. */
export function fieldsOf(body: RequestBody): RequestFields {
  const { flavor, image, num_instances: count, instances, availability_zone: zone, ...further } = body;
  const { instance_group: group, project_id: project, user_id: user, ...others } = further;
  const rest = Object.fromEntries(
    Object.entries({
      ...others,
      ...(typeof flavor !== 'string' && { flavor }),
      ...(typeof image === 'object' && { image }),
      ...(typeof group === 'object' && { instance_group: group }),
    }).filter(([, value]) => !isNothing(value)),
  );
  return {
    flavor: typeof flavor === 'string' ? flavor : '',
    image: typeof image === 'string' ? image : '',
    count: String(count ?? instances?.length ?? 1),
    zone: zone ?? '',
    group: typeof group === 'string' ? group : '',
    project,
    user,
    rest: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, undefined, 2),
  };
}

/** Absent, null, false and empty objects mean that the request does not set the field. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The body, or the error in the text of `rest`. */
export function bodyOf(fields: RequestFields): { readonly body: RequestBody } | { readonly fault: string } {
  const rest = restOf(fields.rest);
  if (rest === undefined) return { fault: 'Further fields: not a JSON object.' };
  const { flavor, image, count, zone, group, project, user } = fields;
  const body = {
    ...rest,
    ...(flavor !== '' && { flavor }),
    ...(image !== '' && { image }),
    ...(zone !== '' && { availability_zone: zone }),
    ...(group !== '' && { instance_group: group }),
    num_instances: Number(count),
    project_id: project,
    user_id: user,
  };
  if (!('flavor' in body)) return { fault: 'Flavor: choose one, or describe one among the further fields.' };
  // The service validates the further fields.
  return { body: body as RequestBody };
}

function restOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {};
  try {
    const document: unknown = JSON.parse(text);
    const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
    return isObject ? (document as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
