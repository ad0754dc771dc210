// The result of a stream as text: counts of known differences, and an example of every unknown kind.
export function report({ name, pair, seconds, notes = '', isWordy }) {
  console.log(`${name}: ${pair.counters.requests} requests in ${seconds} s${notes === '' ? '' : `; ${notes}`}`);
  const kinds = [...pair.counters.kinds].sort(([, one], [, other]) => other.count - one.count);
  for (const [title, { count }] of kinds.filter(([, { known }]) => known !== undefined)) {
    console.log(`  known ${String(count).padStart(6)}  ${title}`);
  }
  const unknown = kinds.filter(([, { known }]) => known === undefined);
  for (const [title, { count, exchange }] of unknown) {
    console.log(`  NEW   ${String(count).padStart(6)}  ${title}`);
    example(exchange, isWordy ? 1500 : 300);
  }
  return unknown.length;
}

function example({ request, berth, other, texts }, length) {
  const { method, path, minor, headers, body, about } = request;
  const unusual = Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !/^(?:openstack-api|x-auth-token)/.test(name) || value !== 'admin',
    ),
  );
  console.log(`          1.${minor} ${method} ${path.slice(0, length)}${about === undefined ? '' : ` (${about})`}`);
  console.log(`          ${JSON.stringify(unusual)} ${body?.slice(0, length) ?? ''}`);
  for (const [who, answer, text] of [
    ['berth', berth, texts.berth],
    ['other', other, texts.other],
  ]) {
    console.log(`          ${who} ${answer.status} ${text.slice(0, length).replaceAll('\n', ' ')}`);
  }
}
