// A text that its cell truncates; the title has the whole.
export const Cut = ({ text }: { readonly text: string | null | undefined }) =>
  text === null || text === undefined ? '–' : <span title={text}>{text}</span>;
