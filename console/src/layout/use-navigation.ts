import { useIsOperator } from '../api/channels';
import { useSignedIn } from '../api/session';
import { NAVIGATION, type NavigationGroup, type NavigationItem } from './navigation';

/** Whether the session has the permission that a page needs. */
export function useMaySee(): (item: NavigationItem) => boolean {
  const { permissions } = useSignedIn();
  return ({ needs }) => !needs || permissions.includes(needs);
}

/**
 * Whether the navigation lists a page for the session. Pages of the operator are listed only in the operator's account.
 */
export function useIsListed(): (item: NavigationItem) => boolean {
  const maySee = useMaySee();
  const isOperator = useIsOperator();
  return (item) => maySee(item) && (isOperator || !item.isOperators);
}

/** The groups with the pages that the session may see. */
export function useNavigation(): readonly NavigationGroup[] {
  const isListed = useIsListed();
  return NAVIGATION.map(({ label, items }) => ({ label, items: items.filter(isListed) })).filter(
    ({ items }) => items.length > 0,
  );
}
