// SPDX-License-Identifier: Apache-2.0
// Which column of a text file is what: by its header, by --columns, by its place.
#include "harness/data/column_choice.h"
#include "harness/data/data_warnings.h"
#include "support.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

class ColumnsTest : public DataTest {
 protected:
  DataRequest request(const std::string& text, const std::string& columns = "",
                      const std::string& name = "r.csv") const {
    DataRequest request;
    request.path = write(name, text);
    request.columns = columns;
    request.test_fraction = 0;
    return request;
  }
  // The first user and item, and all cells.
  std::string cells(const std::string& text, const std::string& columns = "",
                    const std::string& name = "r.csv") const {
    const RatingSet set = load_rating_set(request(text, columns, name));
    return set.users.at(0) + " " + set.items.at(0) + " " + cells_of(set.by_user);
  }
  void expect_error(const std::string& text, const std::vector<std::string>& said,
                    const std::string& columns = "") const {
    const std::string error = error_of(request(text, columns));
    for (const std::string& each : said) EXPECT_TRUE(contains(error, each));
  }
};

TEST_F(ColumnsTest, HeadersOfPublicSets) {
  for (const char* header :
       {"User_ID,Anime_ID,Feedback", "userid,appid,Hours", "User_ID,Product_ID,Purchase",
        "visitorid,itemid,rating", "user_id,parent_asin,rating", "reviewerID,asin,overall",
        "user_id,recipe_id,rating", "userID,placeID,rating", "user_id,video_id,watch_ratio",
        "uid,iid,rating", "UID,IID,score", "uid,sku,qty", "User-ID,ISBN,Book-Rating",
        "user_id:token,item_id:token,rating:float", "username,anime_id,my_score"})
    EXPECT_EQ(cells(std::string(header) + "\n4,6,2.5\n"), "4 6 0:0=2.5") << header;
}

TEST_F(ColumnsTest, AHeaderMayStandInAComment) {
  EXPECT_EQ(cells("#item,user,rating\n6,4,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("#,user,item,rating\n0,4,6,2.5\n"), "4 6 0:0=2.5");  // with an index
  EXPECT_EQ(cells("#,\"user\",\"item\",\"rating\"\n0,4,6,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("# \"so said\nuser,item,rating\n4,6,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("% notes\n# rating user item\n2.5 4 6\n", "", "r.txt"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("# item\tuser\trating\n6\t4\t2.5\n", "", "r.tsv"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("# item,user\n6,4\n"), "4 6 0:0=1");
  EXPECT_EQ(cells("#sku_no,buyer,mark\n6,4,2.5\n", "user=buyer,item=sku_no,rating=mark"),
            "4 6 0:0=2.5");
  expect_error("\n#user,item,rating,score\n1,2,3,4\n",
               {"r.csv:2: the header 'user,item,rating,score' has two columns"});
  for (const char* comment : {"# item,user\n", "# items of users, their ratings, all\n",
                              "# rating,user,item\nuser,item,rating\n"})
    EXPECT_EQ(cells(std::string(comment) + "4,6,2.5\n"), "4 6 0:0=2.5") << comment;
}

TEST_F(ColumnsTest, ACommentThatMayBeALineIsNamed) {
  const auto read = [&](const char* text) { return reading_of(request(text)); };
  EXPECT_EQ(
      read("#buyer,sku,mark\n1,2,3\n"),
      "csv: user 1, item 2, rating 3; fields end at ','; line 1, '#buyer,sku,mark', is a comment");
  EXPECT_EQ(read("user,item,rating\n1,2,3\n%4,5,6\n"),
            "csv: user 'user', item 'item', rating 'rating'; fields end at ','; line 3, '%4,5,6', "
            "is a comment");
  EXPECT_EQ(read("#\"buyer\",\"sku\",mark\n\"a\",2,3\n"),
            "csv: user 1, item 2, rating 3; fields end at ','; line 1, '#\"buyer\",\"sku\",mark', "
            "is a comment");
  EXPECT_EQ(
      read("1,2,3\n#\"a, or b\",2,3\n# 7,\"8,9\n"),
      "csv: user 1, item 2, rating 3; fields end at ','; line 2, '#\"a, or b\",2,3', is a comment");
  EXPECT_EQ(read("1,2,3\n# 7,\"8,9\n"), "csv: user 1, item 2, rating 3; fields end at ','");
  EXPECT_EQ(read("# of the shop\n#item,user,rating\n1,2,3\n"),
            "csv: user 'user', item 'item', rating 'rating'; fields end at ','");
}

TEST_F(ColumnsTest, OtherColumnsArePassedOver) {
  EXPECT_EQ(cells(",user,item,rating\n0,4,6,2.5\n"), "4 6 0:0=2.5");  // as pandas writes an index
  EXPECT_EQ(cells("Unnamed: 0,user,item,rating\n0,4,6,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("_id,rating,user,item\n0,2.5,4,6\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("idx,uid,sku,qty\n9,4,6,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("rating_id,user,item,rating\n9,4,6,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("timestamp,uid,sku,qty\n1112486027,4,6,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("item_name:token,item_id:token,user_id:token,rating:float\nx,6,4,2.5\n"),
            "4 6 0:0=2.5");
}

TEST_F(ColumnsTest, PairsCountAsOne) {
  EXPECT_EQ(cells("user,item\n4,6\n"), "4 6 0:0=1");
  EXPECT_EQ(cells("4,6\n"), "4 6 0:0=1");
  EXPECT_EQ(cells("item\tuser\n6\t4\n", "", "u.tsv"), "4 6 0:0=1");
  EXPECT_EQ(cells("4 6\n", "", "u.txt"), "4 6 0:0=1");
  EXPECT_EQ(cells("4::6\n", "", "u.dat"), "4 6 0:0=1");
  EXPECT_EQ(cells("ann,matrix\n"), "ann matrix 0:0=1");
  EXPECT_EQ(cells("buyer,shop\n4,6\n", "user=buyer,item=shop"), "4 6 0:0=1");
  expect_error("buyer,shop\n4,6\n",
               {"r.csv:1: ", "names no user and item; its columns are 1 'buyer', 2 'shop'"});
  expect_error("4,6\n4,7,1\n", {"r.csv:2: 3 field(s)"});
}

TEST_F(ColumnsTest, LinesCountAsOneWhereRatingsAreNone) {
  EXPECT_EQ(cells("time,visitorid,event,itemid\n17,4,view,6\n", "rating=none"), "4 6 0:0=1");
  EXPECT_EQ(cells("4,6,1700000000\n", "rating=none"), "4 6 0:0=1");
  expect_error("time,visitorid,event,itemid\n17,4,view,6\n", {"--columns rating=none"});
}

TEST_F(ColumnsTest, TestPairsJudgeNoRatings) {
  DataRequest both = request("4,6,3\n4,7,2\n");
  both.test_path = write("t.csv", "4,6\n");
  EXPECT_TRUE(contains(error_of(both), "t.csv: has no ratings, and "));
}

class PartsTest : public ColumnsTest {
 protected:
  // The cells of a folder of these files, or the message that refuses it.
  std::string read(const std::vector<std::pair<std::string, std::string>>& files) const {
    std::filesystem::create_directories(folder_ / "parts");
    for (const auto& [name, text] : files) write("parts/" + name, text);
    DataRequest request;
    request.path = folder_ / "parts";
    request.test_fraction = 0;
    try {
      return cells_of(load_rating_set(request).by_user);
    } catch (const UsageError& error) {
      return error.what();
    }
  }
};

TEST_F(PartsTest, OfAFolderAreReadAsOneFile) {
  EXPECT_EQ(read({{"part-00001.csv", "user,item,rating\n5,6,1\n"},
                  {"part-00000.csv", "user,item,rating\n4,6,2.5\n"},
                  {"part-00002.csv", "user,item,rating\n"},
                  {"part-00003.csv", ""},
                  {"_SUCCESS", ""},
                  {".part-00000.csv.crc", "crc"}}),
            "0:0=2.5 1:0=1");
}

TEST_F(PartsTest, OfOtherColumnsAreRefused) {
  const std::string said =
      read({{"part-0", "user,item,rating\n4,6,2.5\n"}, {"part-1", "item,user,rating\n6,5,1\n"}});
  EXPECT_TRUE(
      contains(said, "part-1: has user 'user', item 'item', rating 'rating' of 3 columns, and "));
  EXPECT_TRUE(contains(said, "rating 'rating' of 3, in another order; give files of one layout"));
}

TEST_F(PartsTest, WithoutColumnsAreRefused) {
  const std::string said = read({{"part-0", "%%MatrixMarket matrix coordinate real general\n"}});
  EXPECT_TRUE(contains(said, "part-0: is of the format matrix-market"));
}

TEST_F(ColumnsTest, SemicolonsAndBarsSeparateToo) {
  EXPECT_EQ(cells("user;item;rating\n4;6;2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("\"user\";\"item\";\"rating\"\n\"4\";\"6, or 7\";\"2.5\"\n"),
            "4 6, or 7 0:0=2.5");
  EXPECT_EQ(cells("4|6|2.5|17\n", "", "u.txt"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("4,a;b;c|d|e,2.5\n"), "4 a;b;c|d|e 0:0=2.5");  // commas go first
  EXPECT_EQ(cells("4;a,b;2.5\n"), "4 a,b 0:0=2.5");
  expect_error("user;item;rating\n4;6;2,5\n", {"r.csv:2: ", "rating '2,5'"});
  expect_error("user|item|rating\n4|6|2|5\n", {"the header has 3 separated by '|'", "hold a '|'"});
}

TEST_F(ColumnsTest, AHeaderWithoutKnownNamesIsRefusedWithItsColumns) {
  expect_error("shop_id,shop_name,seen_at,mark,buyer_id\n1,a,17,4,9\n",
               {"r.csv:1: ", "names no user, item and rating",
                "its columns are 1 'shop_id', 2 'shop_name', 3 'seen_at', 4 'mark', 5 'buyer_id'",
                "--columns user=..,item=..,rating=..,time=.."});
  expect_error("a,b,c\n4,6,2.5\n", {"1 'a', 2 'b', 3 'c'"});
  expect_error("timestamp,visitorid,event,itemid\n1,2,view,4\n", {"names no rating"});
}

TEST_F(ColumnsTest, ACommentFarBehindIsFound) {
  std::string text = "user,item,rating\n";
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i) + ",6 #7,2.5\n";
  ASSERT_GT(text.size(), size_t{5} << 20);
  const std::string kLeftOut = " with as many fields as the lines: it is left out";
  const auto comment = [&](const std::string& all) { return comment_of(request(all)); };
  EXPECT_EQ(comment(text), "");
  EXPECT_EQ(comment(text + "#4,5,6\n1,2,3\n"), "line 400002, '#4,5,6', is a comment" + kLeftOut);
  EXPECT_EQ(comment(text + "# 4,5\n1,2,3\n%4,5,6\n"),
            "line 400004, '%4,5,6', is a comment" + kLeftOut);
}

TEST_F(ColumnsTest, IdsThatDifferByBlanksAloneAreOneAndNamed) {
  const auto merged = [&](const std::string& text, const std::string& file = "r.csv") {
    return merged_id_of(request(text, "", file));
  };
  const std::string kCut = ": blanks around a field are cut; put ids whose blanks count in quotes";
  const std::string text = "user,item,rating\na,x,1\nb,x,2\n a,y,3\n";
  EXPECT_EQ(cells(text), "a x 0:0=1 0:1=3 1:0=2");
  EXPECT_EQ(merged(text), "line 2: the user 'a' is that of another line, ' a'" + kCut);
  EXPECT_EQ(merged("a,x,1\nb,x  ,2\n"),
            "line 1: the item 'x' is that of another line, 'x  '" + kCut);
  EXPECT_EQ(merged("a, x,1\nb,  x,2\n"),
            "line 2: the item '  x' is that of another line, ' x'" + kCut);
  EXPECT_EQ(merged("a\tx\t1\nb\t x\t2\n", "r.tsv"),
            "line 1: the item 'x' is that of another line, ' x'" + kCut);
  EXPECT_EQ(merged("a,x\nb,x \r\nc,y\n"),
            "line 1: the item 'x' is that of another line, 'x '" + kCut);
  // Blanks that every line has, that quotes hold, that stand in no id, and those of numbers.
  for (const char* apart :
       {"a, x, 1\nb, x, 2\n", "\" a\",x,1\na,x,2\n", "\"a\", \"x\",1\n\"a\",\"y\",2\n",
        "a,x,1, so\na,y,2,so\n", " 7,x,1\n7,y,2\n", "a b,x y,1\na,x,2\n", "a,x,1\nb, y,2\n"})
    EXPECT_EQ(merged(apart), "") << apart;
}

TEST_F(ColumnsTest, BlanksFarBehindMergeIds) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += "a" + std::to_string(i) + ",x y,2.5\n";
  ASSERT_GT(text.size(), size_t{5} << 20);
  EXPECT_EQ(merged_id_of(request(text)), "");
  EXPECT_TRUE(contains(merged_id_of(request(text + "a7 ,z,1\n")), "line 8: the user 'a7'"));
}

TEST_F(ColumnsTest, AnAmbiguousHeaderAsksForAChoice) {
  const std::string text = "user_id,asin,parent_asin,rating\n4,5,6,2.5\n";
  expect_error(text,
               {"two columns that may be the item: 'asin' and 'parent_asin'", "--columns item=2"});
  EXPECT_EQ(cells(text, "item=parent_asin"), "4 6 0:0=2.5");
}

TEST_F(ColumnsTest, TwoColumnsOfTimesAskForAChoiceWhereTimesAreKept) {
  const std::string text = "user,item,rating,rated_at,created_at\n4,6,2.5,17,18\n";
  const auto times = [&](const std::string& columns) {
    DataRequest keeping = request(text, columns);
    keeping.keep_times = true;
    const RatingSet set = load_rating_set(keeping);
    return set.times.size() == 0 ? -1 : set.times[0].seconds;
  };
  DataRequest keeping = request(text);
  keeping.keep_times = true;
  const std::string error = error_of(keeping);
  for (const char* said :
       {"r.csv:1: ", "two columns that may be the time: 'rated_at' and 'created_at'",
        "--columns time=4", "time=none"})
    EXPECT_TRUE(contains(error, said));
  EXPECT_EQ(times("time=created_at"), 18);
  EXPECT_EQ(times("time=none"), -1);
  EXPECT_EQ(times("rating=rated_at"), 18);  // which is no time then
  EXPECT_EQ(times("rating=none,time=none"), -1);
  EXPECT_EQ(cells(text), "4 6 0:0=2.5");  // where times are not read
  EXPECT_TRUE(has_times(request(text)));
  EXPECT_FALSE(has_times(request(text, "time=none")));
  DataRequest split = request(text, "time=none");
  split.split_by = SplitBy::leave_last_out;
  EXPECT_TRUE(contains(error_of(split), "the split is by them"));
}

TEST_F(ColumnsTest, ANameThatEndsAsATimeIsNoOtherColumn) {
  for (const char* name : {"rating_timestamp", "ratingTime", "rating_date", "ratingDate",
                           "score_created_at", "rating-time", "Rating Date"})
    expect_error(std::string("user,item,") + name + "\n1,2,1577836800\n", {"names no rating"});
  expect_error("user_created_at,item,rating\n5,2,3\n", {"names no user"});
  expect_error("user,movie_release_date,rating\n1,5,3\n", {"names no item"});
  EXPECT_EQ(cells("user,item,rating_timestamp,rating_of_user\n4,6,99,2.5\n"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("user,item,rating_time\n4,6,2.5\n", "rating=rating_time"), "4 6 0:0=2.5");
}

TEST_F(ColumnsTest, AChoiceNamesOrNumbersColumns) {
  const std::string text = "shop_id,shop_name,seen_at,mark,buyer_id\n6,a,17,2.5,4\n";
  EXPECT_EQ(cells(text, "user=buyer_id,item=shop_id,rating=mark"), "4 6 0:0=2.5");
  EXPECT_EQ(cells(text, "user=5,item=1,rating=Mark"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("9,2.5,6,4\n", "user=4,item=3,rating=2"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("9 2.5 6 4\n", "user=4,item=3,rating=2", "r.txt"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("user,item,rating,other\n4,6,9,2.5\n", "rating=other"), "4 6 0:0=2.5");
  DataRequest timed =
      request(text + "6,b,16,1,9\n5,b,18,3,9\n", "user=buyer_id,item=1,rating=mark,time=seen_at");
  timed.split_by = SplitBy::leave_last_out;
  EXPECT_EQ(cells_of(load_rating_set(timed).test), "1:0=3");
}

TEST_F(ColumnsTest, AWrongChoiceIsNamed) {
  const std::string text = "user,item,mark\n4,6,2.5\n";
  expect_error(text, {"'grade'", "1 'user', 2 'item', 3 'mark'"}, "rating=grade");
  expect_error(text, {"'4'", "1 'user', 2 'item', 3 'mark'"}, "rating=4");
  expect_error(text, {"'0'"}, "rating=0");
  expect_error(text, {"column 1 would be both user and rating"}, "rating=user");
  expect_error("4,6,2.5\n", {"is no header", "'mark'", "numbers from 1"}, "rating=mark");
  expect_error("4,6,2.5\n", {"column 2 would be both user and item"}, "user=2");
  for (const auto& [choice, said] : std::vector<std::pair<std::string, std::string>>{
           {"rating", "the rating has no column"},
           {"rating=", "the rating has no column"},
           {"grade=3", "'grade' is none of user, item, rating and time"},
           {"user=1,user=2", "the user is named twice"},
           {"user=1,item=1", "user and item are one column"}})
    expect_error(text, {said}, choice);
  DataRequest binary;
  binary.path = write("1/mv_0000001.txt", "1:\n7,3,2005-09-06\n").parent_path();
  binary.columns = "user=1";
  EXPECT_TRUE(contains(error_of(binary), "netflix has no columns to choose from"));
}

TEST_F(ColumnsTest, EachLineHasAsManyFieldsAsTheFirst) {
  expect_error("user,item,plays\n1,2,1,500\n",
               {"r.csv:2: 4 field(s) in '1,2,1,500', but the header has 3"});
  expect_error("user,item,plays,when\n1,2,1,5\n1,3,1\n", {"r.csv:3: 3 field(s)", "has 4"});
  expect_error("1,2,1\n1,3,1,9\n", {"r.csv:2: 4 field(s)", "the first line has 3"});
  EXPECT_EQ(cells("user,item,rating,note\n4,6,2.5,\"a, b\"\n"), "4 6 0:0=2.5");
  // Fields at the end of a line may be empty.
  EXPECT_EQ(cells("user\titem\trating\tnote\tmore\n4\t6\t2.5\t\t\n", "", "r.tsv"), "4 6 0:0=2.5");
  EXPECT_EQ(cells("4\t6\t2.5\t\n5\t6\t1\tx\n", "", "r.tsv"), "4 6 0:0=2.5 1:0=1");
}

TEST_F(ColumnsTest, NamesHaveValues) {
  DataRequest events = request("user,item,rating\n4,6,\"like\"\n4,7,a=b\n4,8,skip\n");
  events.values = "like=2.5,a=b=-1,skip=none";
  const RatingSet set = load_rating_set(events);
  EXPECT_EQ(cells_of(set.by_user), "0:0=2.5 0:1=-1");
  EXPECT_EQ(set.items.size(), 2u);  // an item that is left out is none
  EXPECT_EQ(left_out_note(set.left_out, events.choice().values()),
            "1 line of 'skip' is left out, as --values says");
  events.values = "like=2.5,skip=none";
  EXPECT_TRUE(contains(error_of(events), "r.csv:3: rating 'a=b' is none of like, skip"));
  for (const auto& [columns, said] :
       {std::pair("rating=none", "--values names ratings"), std::pair("", "has none")}) {
    DataRequest pairs = request(*columns == '\0' ? "4,6\n" : "4,6,like\n", columns);
    pairs.values = "like=1";
    EXPECT_TRUE(contains(error_of(pairs), said));
  }
}

TEST_F(ColumnsTest, RatingsThatAreNamesHaveRemedies) {
  expect_error("1,2,b\n1,3,a\n",
               {"rating 'b' is not", "give --values a=1,b=2, or --columns rating="});
  expect_error("1,2,the b,7\n1,3,a,5\n",
               {"--columns rating=4, whose fields are numbers", "--values 'a=1,the b=2'"});
  expect_error("1,2,b,1700000000\n", {"give --values b=1, or --columns rating=none"});  // a time
  expect_error("user,item,event,category_id,day\n1,2,b,3,4\n", {"give --columns rating=5,"},
               "rating=event");
  expect_error("1,2,3\n1,3,a\n", {"correct or remove the line"});  // a mistake
  for (const char* number : {"nan", "-inf", "+Infinity"})
    expect_error(std::string("1,2,") + number + "\n", {"correct or remove the line"});
  expect_error("1,2,True\n1,3,False\n", {"give --values False=0,True=1, or"});
  expect_error("1,2,-1e39\n", {"rating '-1e39' is too large for a float; divide the ratings"});
  expect_error("user;item;rating\n1;2;3,5\n",
               {"r.csv:2: rating '3,5' has a comma; write numbers with a decimal point"});
  expect_error("u\ti\t1,5\nu\tj\t2,5\n", {"rating '1,5' has a comma"});  // no header
}

TEST_F(ColumnsTest, TheReadingIsTold) {
  EXPECT_EQ(reading_of(request("idx,uid,sku,qty\n1,2,3,4\n")),
            "csv: user 'uid', item 'sku', rating 'qty'; fields end at ','; 1 of 4 columns is not "
            "read");
  EXPECT_EQ(reading_of(request("1 2 3 4 5\n1 3 3 4 5\n", "", "r.txt")),
            "libmf: user 1, item 2, rating 3; fields end at blanks; 2 of 5 columns are not read");
  EXPECT_EQ(reading_of(request("1,2,3\n", "user=2,item=1")),
            "csv: user 2, item 1, rating 3; fields end at ','");
  EXPECT_EQ(reading_of(request("0 5 9 2\n1 4 8\n", "", "r.txt")),
            "adjacency: a user and items a line, each rated 1; fields end at blanks");
  DataRequest generated;
  generated.dataset = "ml-100k";
  EXPECT_EQ(reading_of(generated), "");
}

}  // namespace
}  // namespace alsbench
