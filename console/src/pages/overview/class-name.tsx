// The name of a class in a narrow place: it breaks only after underscores.
import { Fragment } from 'react';
import { classText } from '../../shown/amount';

export function ClassName({ of }: { readonly of: string }) {
  const parts = classText(of).split('_');
  return parts.map((part, index) => (
    // Parts have no identifier but their position.
    <Fragment key={index}>
      {part}
      {index < parts.length - 1 && (
        <>
          _<wbr />
        </>
      )}
    </Fragment>
  ));
}
