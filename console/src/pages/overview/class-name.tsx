// The name of a class where there is little room: it may break behind its underscores and nowhere else.
import { Fragment } from 'react';
import { classText } from '../../shown/amount';

export function ClassName({ of }: { readonly of: string }) {
  const parts = classText(of).split('_');
  return parts.map((part, index) => (
    // A part is nothing but its place.
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
