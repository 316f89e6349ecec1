// Puts what accounting lists into the database: gathers what belongs to one job of the batch system, and
// stores some thousand of these at once.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/jobs/accounting/accounting.h"
#include "analyzer/jobs/accounting/listed.h"

namespace fathom::jobs {

// A job of the batch system with its steps.
struct Account {
    // Where the allocation itself is not listed: the time of its steps, and what they have in common.
    Listed allocation;
    bool listed = false;
    std::vector<Listed> steps;  // those that are programs; one may be there twice
};

class Accounts {
  public:
    Accounts(Database& database, AccountingCount& count) : database_(database), count_(count) {}

    // In any order, though what belongs together should not be far apart. Throws DatabaseError.
    void take(Listed&& listed);
    // All that was taken and is not stored yet.
    void write();

  private:
    Account& account_of(const Listed& listed);

    Database& database_;
    AccountingCount& count_;
    std::vector<Account> accounts_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_job_;
    std::string last_job_;
    std::size_t lines_ = 0;
};

// Within a transaction.
void store_accounts(Database& database, std::vector<Account>& accounts, AccountingCount& count);

// It was still under way when it was listed, and the other had ended.
bool is_older(const Listed& listed, const Listed& other);

// Whether two rows are of one allocation: times of the same number in the batch system, which gives numbers a
// second time once its counter is set back, or where it starts a job again.
bool is_same_allocation(Number start, Number end, Number other_start, Number other_end);

}  // namespace fathom::jobs
