// In place of the questions that the Nest CLI asks where an argument is missing (decision 0054).
const fail = () => {
  throw new Error(
    'The Nest CLI asks no questions in this project (decision 0054). Give every argument, as in: npx nest g operation-group invoices',
  );
};

export {
  fail as checkbox,
  fail as confirm,
  fail as input,
  fail as number,
  fail as password,
  fail as select,
};
