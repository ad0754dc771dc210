/** The text of an oslo.config file, from its options by section. */
export const ini = (sections) =>
  Object.entries(sections)
    .map(
      ([name, options]) =>
        `[${name}]\n${Object.entries(options)
          .map(([key, value]) => `${key} = ${value}\n`)
          .join('')}`,
    )
    .join('\n');
