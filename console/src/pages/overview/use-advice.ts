// The problems that the service found.
import { useAnswer } from '../../service/questions';
import { REFRESH } from './age-text';

export const useAdvice = () =>
  useAnswer('slow', ['advice'], ({ reports }, signal) => reports.advice({ signal }), {
    rule: 'berth:reports:advice',
    everyMs: REFRESH,
  });
