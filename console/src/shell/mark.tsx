// The product's logo.
import address from '../berth.svg';

export function Mark({ size }: { readonly size: number }) {
  return <img src={address} width={size} height={size} alt="" />;
}
