import { useIsOperator } from '../api/channels';
import { useSignedIn } from '../api/session';
import { NAVIGATION, type NavigationGroup, type NavigationItem } from './navigation';

/** Whether the session has the permission that a page needs. */
export function useMaySee(): (item: NavigationItem) => boolean {
  const { permissions } = useSignedIn();
  return ({ needs }) => !needs || permissions.includes(needs);
}

/** The groups with the pages that the session may see. */
export function useNavigation(): readonly NavigationGroup[] {
  const maySee = useMaySee();
  const isOperator = useIsOperator();
  const isShown = (item: NavigationItem): boolean => maySee(item) && (isOperator || !item.isOperators);
  return NAVIGATION.map(({ label, items }) => ({ label, items: items.filter(isShown) })).filter(
    ({ items }) => items.length > 0,
  );
}
